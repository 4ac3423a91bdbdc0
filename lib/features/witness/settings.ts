/** The command-line options and environment variables of a witness that runs as a program of its own. */
import { parseArgs } from "node:util";
import { z } from "zod";
import { httpUrl, text, wholeNumber } from "../../platform/config/fields.ts";
import { ConfigError } from "../../platform/config/error.ts";
import type { PolicyLog, PrivateJwk } from "../../../packages/proof/mod.ts";
import { privateKey } from "../chain/variables.ts";
import { witnessLogs, witnessName } from "./variables.ts";

/** The settings of a witness that runs alone. */
export interface WitnessSettings {
  /** Undefined for the name that the store's key has. */
  name?: string;
  host: string;
  port: number;
  storePath: string;
  logs: PolicyLog[];
  /** The start of its addresses, as others reach it; undefined for where it listens. */
  url?: string;
  signingKey?: PrivateJwk;
  isNewKey: boolean;
  trustProxy: number;
}

/** The environment variables, each with the option that replaces it. */
const WITNESS_VARIABLES = {
  HOST: "host",
  PORT: "port",
  TRUST_PROXY: undefined,
  WITNESS_KV_PATH: "store",
  WITNESS_LOGS: undefined,
  WITNESS_NAME: "name",
  WITNESS_SIGNING_KEY: undefined,
  WITNESS_URL: "url",
} as const;

export const USAGE = `Usage: deno task witness --name <name> [options]

  --name <name>          the name of its key, such as witness.example; needed for the first start
  --port <number>        default: 8040
  --host <address>       the address to listen on; default: 127.0.0.1
  --url <address>        where others reach it; default: where it listens
  --store <file>         its store; default: .data/witness.kv
  --log "<key> [url]"    a log to countersign; can be repeated
  --new-key              WITNESS_SIGNING_KEY has never signed anything yet

Variables: ${Object.keys(WITNESS_VARIABLES).join(", ")}`;

const schema = z.object({
  HOST: text.min(1).default("127.0.0.1"),
  PORT: wholeNumber("a port from 0 to 65535", 65535).default(8040),
  TRUST_PROXY: wholeNumber("a number of proxies from 0 to 10", 10).default(0),
  WITNESS_KV_PATH: text.min(1).default(".data/witness.kv"),
  WITNESS_LOGS: witnessLogs.default([]),
  WITNESS_NAME: witnessName.optional(),
  WITNESS_SIGNING_KEY: privateKey.optional(),
  WITNESS_URL: httpUrl.optional(),
});

/**
 * Reads the settings of a witness from its command line and its environment.
 *
 * @throws {ConfigError} with a line for each problem
 * @throws {TypeError} for an unknown option
 */
export function readSettings(
  args: string[],
  env: (name: string) => string | undefined,
): WitnessSettings {
  const { values: options } = parseArgs({
    args,
    options: {
      "name": { type: "string" },
      "port": { type: "string" },
      "host": { type: "string" },
      "url": { type: "string" },
      "store": { type: "string" },
      "log": { type: "string", multiple: true, default: [] },
      "new-key": { type: "boolean", default: false },
    },
  });
  const given: Record<string, string | undefined> = {};
  for (const [name, option] of Object.entries(WITNESS_VARIABLES)) {
    given[name] = (option && options[option]) ?? (env(name)?.trim() || undefined);
  }
  const logs = [given.WITNESS_LOGS ?? [], options.log.map((line) => `log ${line}`)].flat();
  if (logs.length > 0) given.WITNESS_LOGS = logs.join("\n");
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map(({ path: [name], message }) => {
      const option = name === "WITNESS_LOGS" ? "log" : WITNESS_VARIABLES[name as "HOST"];
      return `${String(name)}${option ? ` (--${option})` : ""}: should be ${message}`;
    }));
  }
  const { data } = parsed;
  return {
    name: data.WITNESS_NAME,
    host: data.HOST,
    port: data.PORT,
    storePath: data.WITNESS_KV_PATH,
    logs: data.WITNESS_LOGS,
    url: data.WITNESS_URL && `${data.WITNESS_URL}/`,
    signingKey: data.WITNESS_SIGNING_KEY,
    isNewKey: options["new-key"],
    trustProxy: data.TRUST_PROXY,
  };
}
