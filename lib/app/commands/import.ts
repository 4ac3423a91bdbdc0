/**
 * `deno task import <file>`: imports an export into an empty store, from the standard input if the
 * file is `-`. Exits with 0 when done, 1 if nothing or not everything was imported, 2 on incorrect
 * usage, if the store cannot be opened, or if it or the export was made before the first release.
 *
 * @module
 */
import { TABLES } from "../features.ts";
import { configOrExit } from "./command.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { refusesFormat } from "../../platform/store/mod.ts";
import { plural } from "../../base/time.ts";
import { importStore, linesOf } from "../../features/store/import.ts";

const [file] = Deno.args;
if (Deno.args.length !== 1 || (file.startsWith("-") && file !== "-")) {
  console.error("Usage: deno task import <file, or - for the standard input>");
  Deno.exit(2);
}
const { kvPath } = configOrExit();
if (kvPath === ":memory:") {
  console.error("KV_PATH: should not be :memory:, because the import would be lost");
  Deno.exit(2);
}
const input = file === "-" ? Deno.stdin.readable : await open(file);
const kv = await openKv(kvPath, console.warn).catch((error) => {
  console.error(`KV_PATH: should be a store that can be opened (${error.message})`);
  Deno.exit(2);
});
const reason = await refusesFormat(kv, kvPath);
if (reason !== null) {
  kv.close();
  console.error(`KV_PATH: ${reason}`);
  Deno.exit(2);
}
const options = { kv, kvPath, clock: Date.now, tables: TABLES };
const result = await importStore(options, linesOf(input));
kv.close();
if (!result.ok) {
  console.error(result.message);
  Deno.exit(result.error === "too_old" ? 2 : 1);
}
const { header: { exported_at, trust_host }, rows, expired, unfit } = result;
console.log(`Imported ${plural(rows - expired, "row")} of ${exported_at}.`);
if (expired > 0) {
  console.log(
    `${plural(expired, "row")} had expired and ${expired === 1 ? "was" : "were"} left out.`,
  );
}
if (unfit.count > 0) {
  const subject = unfit.count === 1 ? "row does" : "rows do";
  console.warn(`${unfit.count} imported ${subject} not fit the schema of the table, such as:`);
  for (const example of unfit.examples) console.warn(`  ${example}`);
}
console.log(
  `The store is read-only at ${trust_host} until you run deno task chain:reconcile: see ` +
    "docs/ops/backup.md.",
);

async function open(path: string) {
  try {
    return (await Deno.open(path)).readable;
  } catch (error) {
    console.error(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
    return Deno.exit(1);
  }
}
