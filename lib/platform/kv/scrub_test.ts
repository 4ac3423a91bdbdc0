import { assert, assertEquals, assertFalse } from "@std/assert";
import { dirname, join } from "node:path";
import { openKv } from "./open.ts";
import { scrub } from "./scrub.ts";
import { tempKv } from "./testing/temp_kv.ts";

/** Returns true if any of a store's files contains a text. */
async function isIn(path: string, text: string): Promise<boolean> {
  for await (const { name } of Deno.readDir(dirname(path))) {
    const bytes = await Deno.readFile(join(dirname(path), name));
    if (new TextDecoder("latin1").decode(bytes).includes(text)) return true;
  }
  return false;
}

Deno.test("scrub() erases deleted values from a file that is open", async () => {
  await using store = await tempKv();
  for (let i = 0; i < 50; i++) await store.kv.set(["person", i], `xylographic ${i}`);
  await store.kv.set(["stays"], "quillfeather");
  for (let i = 0; i < 50; i++) await store.kv.delete(["person", i]);
  assert(await isIn(store.path, "xylographic"), "deleting leaves the bytes in the file");
  scrub(store.path);
  assertFalse(await isIn(store.path, "xylographic"));
  assertEquals((await store.kv.get(["stays"])).value, "quillfeather");
  await store.kv.set(["later"], 1);
  using other = await openKv(store.path);
  assertEquals((await other.get(["later"])).value, 1);
});

Deno.test("scrub() does nothing for a store that is not a file", () => {
  for (const path of [undefined, ":memory:", "https://kv.example/connect"]) scrub(path);
});
