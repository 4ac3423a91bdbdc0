import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { FORMAT, openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import { refusesFormat } from "../../platform/store/mod.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { importStore, type UnfitRows } from "./import.ts";
import { exportText, importText, rowsOf } from "./testing/copy.ts";
import { KEYS, VALUES } from "./testing/values.ts";

const STORE = { id: "a", created_at: "2026-03-01T00:00:00.000Z" };

/** A store that the site has started with. */
async function startedKv() {
  const store = await tempKv();
  await store.kv.set(["format"], { version: FORMAT });
  return store;
}

Deno.test("export, import and export give the same rows, with values of every type, the largest ones and many", async () => {
  await using first = await startedKv();
  await using second = await tempKv();
  await first.kv.set(["store"], STORE);
  const now = Date.now();
  for (const [i, value] of VALUES.entries()) await first.kv.set(["value", i], value);
  for (const key of KEYS) await first.kv.set(key, { expires_at: "2020-01-01T00:00:00.000Z" });
  for (let i = 0; i < 20; i++) {
    await first.kv.set(["large", i], { text: "日".repeat(32_700), missing: undefined });
  }
  // Commits of these are too large together: the text of the values is short, and the keys are long.
  const copies = Array(60).fill("x".repeat(1_000));
  for (let i = 0; i < 20; i++) await first.kv.set(["copies", i], { copies, missing: undefined });
  for (let start = 0; start < 600; start += 200) {
    const commit = first.kv.atomic();
    for (let i = start; i < start + 200; i++) commit.set(["k".repeat(200), i], i);
    await commit.commit();
  }
  const expires_at = new Date(now + 2 * DAY_MS).toISOString();
  await first.kv.set(["session"], { expires_at }, { expireIn: 2 * DAY_MS });
  await first.kv.set(["kept longer"], { expires_at }, { expireIn: 9 * DAY_MS });
  await first.kv.set(["index"], null, { expireIn: DAY_MS });
  await first.kv.set(["expired"], null, { expireIn: 1 });

  const text = await exportText(first, Date.now() + 1_000);
  const header = JSON.parse(text.split("\n")[0]);
  assertEquals([header.store, header.store_format, header.snapshot], [STORE, FORMAT, true]);
  const result = await importText(limitKv(second.kv), text);
  assertEquals(result.ok && [result.rows, result.expired], [rowsOf(text).length, 0]);
  assertEquals(rowsOf(await exportText(second)), rowsOf(text));
  const { restored, ...store } = (await second.kv.get<Record<string, unknown>>(["store"])).value!;
  assertEquals(store, STORE);
  assertEquals(Object(restored).trust_host, "trust.example");
  assertEquals(rowsOf(text).some((line) => line.includes('"expired"')), false);
  assertEquals(rowsOf(text).filter((line) => line.includes('"expires"')).length, 3);
});

Deno.test("rows that expire between export and import are left out", async () => {
  await using first = await startedKv();
  using second = await openKv(":memory:");
  const now = Date.now();
  await first.kv.set(["a"], null, { expireIn: HOUR_MS });
  await first.kv.set(["b"], null);
  const result = await importText(second, await exportText(first), now + 3 * HOUR_MS);
  assertEquals(result.ok && [result.rows, result.expired], [3, 1]);
  assertEquals((await second.get(["a"])).versionstamp, null);
});

const USER = {
  id: 1,
  email: "ada@example.org",
  created_at: "2026-03-01T00:00:00.000Z",
  last_login: null,
  source: "signup",
};

Deno.test("rows that do not fit the schema of their table are imported and counted, the first with their problem but no value", async () => {
  await using first = await startedKv();
  using second = await openKv(":memory:");
  await first.kv.set(["users", 1], USER);
  await first.kv.set(["users_by_email", USER.email], 1);
  for (let id = 2; id < 10; id++) await first.kv.set(["users", id], { ...USER, id: USER.email });
  await first.kv.set(["users_last_id"], USER.email);
  await first.kv.atomic().sum(["access_log", "0".repeat(64)], 1n).commit();
  const result = await importText(second, await exportText(first));
  const problem = "users, id: Invalid input: expected number, received string";
  assertEquals(result.ok && [result.rows, result.unfit], [
    13,
    { count: 9, examples: Array(5).fill(problem) },
  ]);
  assertEquals((await second.get(["users", 9])).value, { ...USER, id: USER.email });
});

Deno.test("the problem of a row with an unknown column does not name the column", async () => {
  await using first = await startedKv();
  using second = await openKv(":memory:");
  await first.kv.set(["users", 1], { ...USER, "ada@example.org": 1 });
  const result = await importText(second, await exportText(first));
  const { examples } = (result as { unfit: UnfitRows }).unfit;
  assertEquals([examples.length, examples.join().includes("ada")], [1, false]);
});

Deno.test("without a file, rows are read in batches without those of commits, and expire 31 days after their expires_at", async () => {
  using kv = await openKv(":memory:");
  for (let i = 0; i < 450; i++) await kv.set(["row", i], i);
  await kv.set(["documents", "a"], { expires_at: "2026-03-01T00:00:00.000Z" });
  await kv.set(["sessions", "a"], { expires_at: "2026-03-01T00:30:00.000Z" });
  await kv.set(["commits", "a"], { outcome: "committed", expires_at: "2026-03-01T00:30:00.000Z" });
  const text = await exportText({ kv }, Date.UTC(2026, 2, 1));
  const lines = rowsOf(text);
  assertEquals(lines.length, 452);
  assertEquals(lines.map((line) => JSON.parse(line).expires).filter(Boolean), [
    "2026-04-01T01:00:00.000Z",
  ]);
  assertStringIncludes(text, '"snapshot":false');
});

Deno.test("an export that is damaged or ends early becomes a store that no build opens, and no second import changes", async () => {
  await using first = await startedKv();
  for (let i = 0; i < 10; i++) await first.kv.set(["row", i], `value ${i}`);
  const text = await exportText(first);
  const lines = text.split("\n");
  const rows = lines.filter((line) => !line.startsWith('{"key":["format"]')).slice(0, -2);
  const sha256 = createHash("sha256").update(`${rows.join("\n")}\n`).digest("hex");
  const withoutFormat = [...rows, JSON.stringify({ rows: rows.length - 1, sha256 })].join("\n");
  const damaged = {
    "another value": text.replace("value 3", "value 4"),
    "another trust host": text.replace("trust.example", "other.example"),
    "a row is missing": lines.toSpliced(3, 1).join("\n"),
    "no footer": lines.slice(0, -2).join("\n"),
    "only a header": lines[0],
    "half a line": text.slice(0, text.length / 2),
    "not JSON": text.replace('{"key":["row",5]', "x"),
    "no format": withoutFormat,
    "a row without a value": text.replace('"devalue":["value 3"]', '"other":1'),
  };
  for (const [name, text] of Object.entries(damaged)) {
    using kv = await openKv(":memory:");
    const result = await importText(kv, text);
    assertEquals(!result.ok && result.error, "damaged", name);
    assertStringIncludes(await refusesFormat(kv, undefined) ?? "", "not completed", name);
    const again = await importText(kv, text);
    assertEquals(!again.ok && again.error, "incomplete");
  }
});

Deno.test("an import that is interrupted leaves a store that no build opens", async () => {
  await using first = await startedKv();
  await first.kv.set(["row"], 1);
  using kv = await openKv(":memory:");
  const lines = (await exportText(first)).split("\n");
  async function* interrupted() {
    yield* lines.slice(0, 2);
    await Promise.reject(new Error("gone"));
  }
  await importStore({ kv, kvPath: undefined, clock: Date.now, tables: [] }, interrupted()).catch(
    () => {},
  );
  assertStringIncludes(await refusesFormat(kv, undefined) ?? "", "not completed");
});

Deno.test("an import is refused, and writes nothing, if the store is not empty or the text is not a known export", async () => {
  await using first = await startedKv();
  const text = await exportText(first);
  using used = await openKv(":memory:");
  await used.set(["row"], 1);
  const refused = await importText(used, text);
  assertEquals(!refused.ok && refused.error, "not_empty");
  assertEquals((await Array.fromAsync(used.list({ prefix: [] }))).length, 1);
  using kv = await openKv(":memory:");
  const cases: [string, string][] = [
    ["", "not_an_export"],
    ["{}\n{}\n", "not_an_export"],
    ["x".repeat(2_000_000), "not_an_export"],
    [text.replace('"gatehouse_export":2', '"gatehouse_export":3'), "too_new"],
    [text.replace(`"store_format":${FORMAT}`, '"store_format":99'), "too_new"],
    [text.replace(`"store_format":${FORMAT}`, '"store_format":10'), "too_old"],
    [text.replace(`"store_format":${FORMAT}`, '"store_format":null'), "too_old"],
  ];
  for (const [text, error] of cases) {
    const result = await importText(kv, text);
    assertEquals(!result.ok && result.error, error);
  }
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
  assert((await importText(kv, text)).ok); // an empty store
});

Deno.test("a store that something else wrote to during the import is not opened", async () => {
  await using first = await startedKv();
  await first.kv.set(["row"], 1);
  using kv = await openKv(":memory:");
  const lines = (await exportText(first)).split("\n").slice(0, -1);
  async function* withWrite() {
    yield* lines.slice(0, 2);
    await kv.set(["format"], { version: 2 });
    yield* lines.slice(2);
  }
  const result = await importStore(
    { kv, kvPath: undefined, clock: Date.now, tables: [] },
    withWrite(),
  );
  assertEquals(!result.ok && result.error, "changed");
});
