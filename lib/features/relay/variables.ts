/** The environment variables of the site's relays. */
import type { z } from "zod";
import { type RelayConfig, relaysSchema, relayTimeoutSchema } from "./config.ts";
import { hostnameOf } from "../../platform/config/fields.ts";
import { secret } from "../../platform/config/secret_files.ts";
import { defineSettings, type SettingsContext } from "../../platform/config/settings.ts";

export interface RelaysConfig {
  all: RelayConfig[];
  /** True to start the development origin with a relay to it. */
  sandbox: boolean;
  /** How long to wait for an origin's response headers, in milliseconds. */
  timeoutMs: number;
}

export const SANDBOX_RELAY = { name: "docs", host: "docs.relay.localhost" };

const variables = {
  RELAYS: secret(relaysSchema.optional()),
  RELAY_TIMEOUT_MS: relayTimeoutSchema,
};

type Values = z.output<z.ZodObject<typeof variables>>;

const relaysConfig = (values: Values, { production }: SettingsContext): RelaysConfig => ({
  all: values.RELAYS ?? [],
  sandbox: !production && values.RELAYS === undefined,
  timeoutMs: values.RELAY_TIMEOUT_MS,
});

function relaysProblems(
  { RELAYS: relays = [] }: Values,
  { hosts, production }: SettingsContext,
): string[] {
  const lines: string[] = [];
  const taken = new Set(Object.values(hosts).flat().map(hostnameOf));
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

export const relaySettings = defineSettings({
  variables,
  config: (values, context) => ({ relays: relaysConfig(values, context) }),
  problems: relaysProblems,
  hosts: ({ relays: { sandbox, all } }) =>
    (sandbox ? [SANDBOX_RELAY] : all).map(({ name, host }) => ({ name: `relay ${name}`, host })),
});
