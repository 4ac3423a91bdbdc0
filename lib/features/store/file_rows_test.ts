import { assertEquals, assertThrows } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import { fileRows } from "./file_rows.ts";
import { jsonKeySchema, keyFromJson, keyToJson } from "./json_key.ts";
import { fromJson, toJson } from "./json_value.ts";
import { inspect, KEYS, VALUES } from "./testing/values.ts";

Deno.test("fileRows() returns the keys and values of every type that list() returns, in the same order", async () => {
  await using store = await tempKv();
  const { kv, path } = store;
  for (const [i, value] of VALUES.entries()) await kv.set(["value", i], value);
  for (const key of KEYS) await kv.set(key, null);
  // fc.string({ unit: "binary" }) first spends a second on a table of all code points.
  const text = fc.array(fc.integer({ min: 0, max: 0x10ffff }))
    .map((points) => String.fromCodePoint(...points).toWellFormed());
  const parts = fc.oneof(
    text,
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.uint8Array({ max: 3 }),
  );
  for (
    const key of fc.sample(fc.array(parts, { minLength: 1, maxLength: 3 }), {
      numRuns: 200,
      seed: 1,
    })
  ) {
    await kv.set(key, null);
  }
  const listed = await Array.fromAsync(kv.list({ prefix: [] }));
  assertEquals(
    [...fileRows(path)],
    listed.map(({ key, value }) => ({ key, value, expires: null })),
  );
  for (const { key, value } of listed) {
    const copied = jsonKeySchema.parse(JSON.parse(JSON.stringify(keyToJson(key))));
    assertEquals(keyFromJson(copied), key);
    const json = toJson(value);
    const back = fromJson(JSON.parse(json));
    assertEquals(inspect(back), inspect(value));
    assertEquals(toJson(back), json);
  }
});

Deno.test("fileRows() throws at a damaged page, instead of ending there", async () => {
  const path = await Deno.makeTempFile();
  const database = new DatabaseSync(path);
  database.exec("CREATE TABLE kv (k BLOB PRIMARY KEY, v BLOB, v_encoding INTEGER, expiration_ms)");
  const insert = database.prepare("INSERT INTO kv VALUES (?, ?, 3, -1)");
  const key = (i: number) => Uint8Array.of(0x02, 0x61, 0x00, 0x16, i >> 8, i & 0xff);
  database.exec("BEGIN");
  for (let i = 0; i < 1_000; i++) insert.run(key(i), new Uint8Array(400));
  database.exec("COMMIT");
  database.close();
  assertEquals([...fileRows(path)].length, 1_000);
  using file = await Deno.open(path, { write: true });
  await file.seek(60 * 4096, Deno.SeekMode.Start);
  await file.write(new Uint8Array(4096).fill(0xff));
  assertThrows(() => [...fileRows(path)], Error, "malformed");
  await Deno.remove(path);
});
