/**
 * Opens the stores of earlier releases with today's code. A change of a row's schema without a migration fails here.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { TABLES } from "../lib/app/features.ts";
import { checkStore, type RowProblem } from "../lib/features/store/check.ts";
import { exportText, importText, rowsOf } from "../lib/features/store/testing/copy.ts";
import { openKv, type TableDescription } from "../lib/platform/kv/mod.ts";
import { createSecrets } from "../lib/platform/secrets.ts";
import { createSite } from "./site.ts";

const STORES = new URL("stores/", import.meta.url);

/** Unpacks a file of a release into a new folder. */
async function unpacked(version: string, name: string): Promise<string> {
  const packed = await Deno.readFile(new URL(`${version}/${name}.gz`, STORES));
  const path = `${await Deno.makeTempDir()}/${name}`;
  await Deno.writeFile(path, gunzipSync(packed));
  return path;
}

/** Returns what does not fit its table. */
async function problemsOf(
  kv: Deno.Kv,
  clock: () => number,
  tables: readonly TableDescription[] = TABLES,
) {
  const problems: RowProblem[] = [];
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  await checkStore(
    { kv, path: null, tables, clock, secrets },
    (problem) => problems.push(problem),
  );
  return problems.map(({ key, text }) => `${key}: ${text}`);
}

for (const { name: version } of Deno.readDirSync(STORES)) {
  const about = JSON.parse(Deno.readTextFileSync(new URL(`${version}/about.json`, STORES)));
  const now = Date.parse(about.at);

  Deno.test(`the file of ${version} opens, all its rows fit, and the jobs run and leave only rows that fit`, async () => {
    const kv = await openKv(await unpacked(version, "site.kv"));
    const fetch = () => Promise.reject(new TypeError("no network"));
    await using site = await createSite({}, { kv, clock: () => now, fetch });
    const { services } = site;
    await services.store.claim(() => services.migrate());
    assertEquals(await problemsOf(kv, () => now), []);
    const before = rowsOf(await exportText({ kv }, now)).length;
    for (const { name } of await services.jobs.states()) {
      const run = await services.jobs.run(name);
      assert(run === null || run.outcome !== "failed", `${name}: ${run?.detail}`);
    }
    assertEquals(await problemsOf(kv, () => now), []);
    const after = rowsOf(await exportText({ kv }, now)).length;
    assert(after >= before * 0.9, `${before} rows before, ${after} after`);
  });

  Deno.test(`the export of ${version} is imported, and has the rows of the file`, async () => {
    const text = await Deno.readTextFile(await unpacked(version, "export.jsonl"));
    const kv = await openKv(":memory:");
    const imported = await importText(kv, text, now);
    assert(imported.ok && imported.rows === about.rows && imported.unfit.count === 0);
    const file = await openKv(await unpacked(version, "site.kv"));
    const [rows, fileRows] = [
      rowsOf(await exportText({ kv }, now)),
      rowsOf(await exportText({ kv: file }, now)),
    ];
    kv.close();
    file.close();
    assertEquals(rows.length, fileRows.length);
  });
}

Deno.test("a row that gets a required column without a migration is found in the store of a release", async () => {
  const kv = await openKv(await unpacked("1.0.0", "site.kv"));
  const tables = TABLES.map((table) =>
    table.prefix === "users" && table.value instanceof z.ZodObject
      ? { ...table, value: table.value.extend({ nickname: z.string() }) }
      : table
  );
  const problems = await problemsOf(kv, () => 0, tables);
  kv.close();
  assert(problems.length > 0 && problems.every((problem) => /users, nickname/.test(problem)));
});
