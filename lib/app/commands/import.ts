/**
 * `deno task import <file>`: imports an export into an empty store, from the standard input if the
 * file is `-`. Exits with 0 when done, 1 if nothing or not everything was imported, 2 on incorrect
 * usage, if the store cannot be opened, or if it or the export was made before the first release.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { type CommandIo, refuse, startCommand } from "./command.ts";
import { configOrExit, refuseStore } from "./command_store.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { refusesFormat } from "../../platform/store/mod.ts";
import { plural } from "../../base/time.ts";
import { importStore, linesOf } from "../../features/store/import.ts";

/** The command; the module says what it does. */
export async function main({ args, env, log, error }: CommandIo): Promise<number | void> {
  const [file] = args;
  if (args.length !== 1 || (file.startsWith("-") && file !== "-")) {
    refuse("Usage: deno task import <file, or - for the standard input>");
  }
  const { kvPath } = configOrExit(env);
  if (kvPath === ":memory:") {
    refuseStore("should not be :memory:, because the import would be lost");
  }
  const input = file === "-" ? Deno.stdin.readable : await open(file);
  const kv = await openKv(kvPath, error).catch((cause) =>
    refuseStore(`should be a store that can be opened (${cause.message})`)
  );
  const reason = await refusesFormat(kv, kvPath);
  if (reason !== null) {
    kv.close();
    refuseStore(reason);
  }
  const options = { kv, kvPath, clock: Date.now, tables: TABLES };
  const result = await importStore(options, linesOf(input));
  kv.close();
  if (!result.ok) refuse(result.message!, result.error === "too_old" ? 2 : 1);
  const { header: { exported_at, trust_host }, rows, expired, unfit } = result;
  log(`Imported ${plural(rows - expired, "row")} of ${exported_at}.`);
  if (expired > 0) {
    log(
      `${plural(expired, "row")} had expired and ${expired === 1 ? "was" : "were"} left out.`,
    );
  }
  if (unfit.count > 0) {
    const subject = unfit.count === 1 ? "row does" : "rows do";
    error(`${unfit.count} imported ${subject} not fit the schema of the table, such as:`);
    for (const example of unfit.examples) error(`  ${example}`);
  }
  log(
    `The store is read-only at ${trust_host} until you run deno task chain:reconcile: see ` +
      "docs/ops/backup.md.",
  );
}

if (import.meta.main) await startCommand(main);

async function open(path: string) {
  try {
    return (await Deno.open(path)).readable;
  } catch (error) {
    refuse(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`, 1);
  }
}
