/**
 * `deno task store:check [--key <digest>]`: reads every row of the store, and prints a line for each that
 * does not fit its table or its indexes. With `--key`, it prints the key of the row with the digest that
 * a log line names. The lines may contain email addresses. The site may run meanwhile. Exits with 0 if all rows fit
 * or the key was found, 1 if not, and 2 on incorrect usage.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { plural } from "../../base/time.ts";
import { checkStore, findKey } from "../../features/store/check.ts";
import { isFile } from "../../platform/kv/mod.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { TABLES } from "../features.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, openKvOrExit } from "./command_store.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number | void> {
  const digest = readArguments(args);
  const config = configOrExit(env);
  using kv = await openKvOrExit(config);
  const path = isFile(config.kvPath) ? config.kvPath : null;
  const secrets = createSecrets({ kv, given: config.appSecrets });
  const options = { kv, path, tables: TABLES, secrets, clock: Date.now };
  if (digest !== undefined) {
    const key = await findKey(options, digest);
    if (key === null) refuse(`The store has no row whose key has the digest ${digest}.`, 1);
    return log(key);
  }
  let problems = 0;
  const rows = await checkStore(options, ({ key, digest, text }) => {
    problems++;
    log(`${key} (${digest}): ${text}`);
  });
  error(`${plural(rows, "row")}, ${plural(problems, "problem")}`);
  return problems > 0 ? 1 : 0;
}

function readArguments(args: readonly string[]): string | undefined {
  try {
    const options = { key: { type: "string" } } as const;
    const { values: { key } } = parseArgs({ args: [...args], options });
    if (key === undefined || /^[0-9a-f]{16}$/.test(key)) return key;
  } catch { /* prints the usage */ }
  return refuse("Usage: deno task store:check [--key <digest>]");
}

if (import.meta.main) await startCommand(main);
