import { assertEquals, assertRejects } from "@std/assert";
import { createTogether } from "./together.ts";

/** Returns a function that reads keys as their own values, and the keys of its calls. */
function counted({ fails = false } = {}) {
  const calls: string[] = [];
  const limits: unknown[] = [null];
  const together = createTogether(
    (keys) => {
      calls.push(keys.join(" "));
      if (fails) return Promise.reject(new TypeError("no store"));
      return Promise.resolve(keys.map((key) => ({ key, value: key[0], versionstamp: "1" })));
    },
    3,
    () => limits[0],
  );
  const read = async (reader: object, key: string) => (await together(reader, [[key]]))[0].value;
  return { calls, limits, read, together };
}

Deno.test("rows that one reader asks for before it waits for something else are one call, at most as many as fit", async () => {
  const { calls, read } = counted();
  const reader = {};
  const soon = async () => {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    return await read(reader, "soon");
  };
  const later = soon();
  const keys = ["a", "b", "c", "d"];
  assertEquals(await Promise.all(keys.map((key) => read(reader, key))), keys);
  assertEquals(await later, "soon");
  assertEquals(calls, ["a b c", "d soon"]);
  assertEquals(await read(reader, "a"), "a");
  assertEquals(calls, ["a b c", "d soon", "a"]);
});

Deno.test("rows that are read at once are one call with others, and are not divided if there is no room", async () => {
  const { calls, together } = counted();
  const reader = {};
  const reads = [["a"], ["b", "c"], ["d", "e"], ["f", "g"], []].map(async (texts) =>
    (await together(reader, texts.map((text) => [text]))).map(({ value }) => value)
  );
  assertEquals(await Promise.all(reads), [["a"], ["b", "c"], ["d", "e"], ["f", "g"], []]);
  assertEquals(calls, ["a b c", "d e", "f g"]);
});

Deno.test("a read joins the first call that has room for it, also if a later one has begun to fill", async () => {
  const { calls, together } = counted();
  const reader = {};
  const reads = [["a", "b"], ["c", "d"], ["e"], ["f"]].map(async (texts) =>
    (await together(reader, texts.map((text) => [text]))).map(({ value }) => value)
  );
  assertEquals(await Promise.all(reads), [["a", "b"], ["c", "d"], ["e"], ["f"]]);
  assertEquals(calls, ["a b e", "c d f"]);
});

Deno.test("readers do not share a call, and neither does work with another limit", async () => {
  const { calls, limits, read } = counted();
  const [one, other] = [{}, {}];
  const reads = [read(one, "a"), read(other, "b"), read(other, "c")];
  limits[0] = "shorter";
  reads.push(read(other, "d"));
  assertEquals(await Promise.all(reads), ["a", "b", "c", "d"]);
  assertEquals(calls, ["a", "b c", "d"]);
});

Deno.test("a call that fails rejects for each of its rows", async () => {
  const { calls, read } = counted({ fails: true });
  const reader = {};
  const reads = [read(reader, "a"), read(reader, "b")];
  for (const each of reads) await assertRejects(() => each, TypeError, "no store");
  assertEquals(calls, ["a b"]);
});
