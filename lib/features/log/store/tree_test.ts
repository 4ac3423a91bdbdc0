import { assertEquals, assertRejects } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { addEntries } from "../testing/fixtures.ts";
import { sequenceBatch } from "./sequence.ts";
import { MissingTileError, storedTiles, tileKey } from "./tree.ts";

Deno.test("a stored tile that is too short is missing, and one that has grown is cut", async () => {
  using kv = limitKv(await openKv(":memory:"));
  await addEntries(kv, ["a", "b", "c"]);
  await sequenceBatch(kv);
  const tile = { level: 0, index: 0, width: 2 };
  const [bytes] = await storedTiles(kv)([tile]);
  const { value } = await kv.get<Uint8Array>(tileKey(tile));
  assertEquals([bytes.length, value!.length], [64, 96]);
  await kv.set(tileKey(tile), value!.slice(0, 63));
  await assertRejects(() => storedTiles(kv)([tile]), MissingTileError);
});
