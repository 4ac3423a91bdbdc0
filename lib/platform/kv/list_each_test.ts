import { assertEquals } from "@std/assert";
import { listEach } from "./list_each.ts";
import { openKv } from "./mod.ts";

/** A store in which groups have numbers of rows. */
async function storeWith(groups: Record<string, number>): Promise<Deno.Kv> {
  const kv = await openKv(":memory:");
  for (const [group, count] of Object.entries(groups)) {
    for (let i = 0; i < count; i++) {
      await kv.set(["rows", group, String(i).padStart(5, "0"), "x"], i);
    }
  }
  await kv.set(["rowsafter", "z", "0"], 0);
  return kv;
}

const read = (kv: Deno.Kv, options: Parameters<typeof listEach>[2]) =>
  Array.fromAsync(
    listEach<number>(kv, ["rows"], options),
    ({ key, value }) => `${String(key[1])}${value}`,
  );

Deno.test("the first and the last rows of each group are listed, whatever the others have", async () => {
  using kv = await storeWith({ a: 1, b: 7, ba: 2, c: 3 });
  assertEquals(await read(kv, { limit: 2 }), ["a0", "b0", "b1", "ba0", "ba1", "c0", "c1"]);
  assertEquals(await read(kv, { limit: 2, reverse: true }), [
    ...["c2", "c1", "ba1", "ba0", "b6", "b5", "a0"],
  ]);
  assertEquals(await read(kv, { limit: 1 }), ["a0", "b0", "ba0", "c0"]);
  assertEquals(await read(kv, { limit: 1, reverse: true }), ["c2", "ba1", "b6", "a0"]);
  assertEquals(await read(kv, { limit: 3, groups: 2 }), ["a0", "b0", "b1", "b2"]);
  assertEquals((await read(kv, { limit: 100 })).length, 13);
});

Deno.test("more rows of a group than a batch has are listed up to the limit", async () => {
  using kv = await storeWith({ a: 1_200, b: 1 });
  for (const reverse of [false, true]) {
    const rows = await read(kv, { limit: 700, reverse });
    assertEquals([rows.length, new Set(rows).size], [701, 701]);
  }
});
