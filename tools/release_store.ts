/**
 * Writes the store of a release: an export and a file with rows of every feature, in `tests/stores/<version>/`. Run it
 * once for each release that changes the format; later builds must open all of them.
 *
 *     deno run -A --frozen --lock=dev.lock tools/release_store.ts
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { exportText, importText } from "../lib/features/store/testing/copy.ts";
import { clearRestored } from "../lib/features/store/reconcile.ts";
import { VERSION } from "../lib/platform/config/release.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { observedSite } from "./observe/store.ts";

const folder = new URL(`../tests/stores/${VERSION}/`, import.meta.url);
const temporary = await Deno.makeTempDir();
await Deno.mkdir(folder, { recursive: true });
await using observed = await observedSite();
const { kv, clock } = observed;
const text = await exportText({ kv }, clock.now);
await Deno.writeFile(new URL("export.jsonl.gz", folder), gzipSync(text, { level: 9 }));

const path = `${temporary}/site.kv`;
const copy = await openKv(path);
const imported = await importText(copy, text, clock.now);
if (!imported.ok) throw new Error(imported.error);
await clearRestored(copy);
copy.close();
const database = new DatabaseSync(path);
database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE; VACUUM");
database.close();
await Deno.writeFile(
  new URL("site.kv.gz", folder),
  gzipSync(await Deno.readFile(path), { level: 9 }),
);
await Deno.writeTextFile(
  new URL("about.json", folder),
  `${JSON.stringify({ at: new Date(clock.now).toISOString(), rows: imported.rows })}\n`,
);
await Deno.remove(temporary, { recursive: true });
console.log(`${VERSION}: ${imported.rows} rows`);
