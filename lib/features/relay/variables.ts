import { z } from "zod";
import { type RelayConfig, relaysSchema, relayTimeoutSchema } from "./config.ts";
import { hostnameOf } from "../../platform/config/fields.ts";
import type { SurfaceHosts } from "../../platform/config/surfaces.ts";

export interface RelaysConfig {
  all: RelayConfig[];
  /** True to start the development origin with a relay to it. */
  sandbox: boolean;
  /** How long to wait for an origin's response headers, in milliseconds. */
  timeoutMs: number;
}

export const SANDBOX_RELAY = { name: "docs", host: "docs.relay.localhost" };

export const relayVariables = {
  RELAYS: relaysSchema.optional(),
  RELAY_TIMEOUT_MS: relayTimeoutSchema,
};

type Values = z.output<z.ZodObject<typeof relayVariables>>;

export const relaysConfig = (values: Values, production: boolean): RelaysConfig => ({
  all: values.RELAYS ?? [],
  sandbox: !production && values.RELAYS === undefined,
  timeoutMs: values.RELAY_TIMEOUT_MS,
});

export function relaysProblems(
  { RELAYS: relays = [] }: Values,
  surfaceHosts: SurfaceHosts,
  production: boolean,
): string[] {
  const lines: string[] = [];
  const taken = new Set(Object.values(surfaceHosts).flat().map(hostnameOf));
  for (const { name, host, origin } of relays) {
    if (taken.has(host)) lines.push(`RELAYS: should give ${name} a host that no surface uses`);
    if (production && origin.startsWith("http:")) {
      lines.push(
        `RELAYS: should give ${name} an https origin in production, because its token is sent there`,
      );
    }
  }
  return lines;
}
