import { assertEquals } from "@std/assert";
import { spawnChild } from "../../kv/testing/spawn_child.ts";
import { tempKv } from "../../kv/testing/temp_kv.ts";
import { HASH, readAll, stageOf, verifyStored } from "./testing/stage.ts";

const CHILD = import.meta.resolve("./testing/child.ts");

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

Deno.test("500 appends at once to one chain leave 500 events in order, without gap or twin", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  await chains.start(HASH);
  const appended = await Promise.all(
    range(0, 500).map(() => chains.append(HASH, "record_verified")),
  );
  assertEquals(ascending(appended.map((one) => one!.event.seq)), range(1, 501));
  assertEquals((await readAll(chains)).map(({ seq }) => seq), range(0, 501));
  const result = await verifyStored(chains);
  assertEquals(result.ok && [result.size, result.signedSize], [501, 501]);
});

Deno.test("two processes, 250 appends each at once: 500 events in order, without gap or twin", async () => {
  await using store = await tempKv();
  const { chains } = stageOf(store.kv);
  await chains.start(HASH);
  await using one = await spawnChild(CHILD, store.path, "append", HASH, "250");
  await using other = await spawnChild(CHILD, store.path, "append", HASH, "250");
  await Promise.all([one.go(), other.go()]);
  const said = await Promise.all([one.next<number[]>(), other.next<number[]>()]);
  assertEquals(ascending(said.flatMap((seqs) => seqs!)), range(1, 501));
  assertEquals((await readAll(chains)).map(({ seq }) => seq), range(0, 501));
  const result = await verifyStored(chains);
  assertEquals(result.ok && [result.size, result.signedSize], [501, 501]);
});

Deno.test("of two processes that begin at once, both sign with one key", async () => {
  await using store = await tempKv();
  await using one = await spawnChild(CHILD, store.path, "keys", HASH);
  await using other = await spawnChild(CHILD, store.path, "keys", HASH);
  await Promise.all([one.go(), other.go()]);
  const [mine, theirs] = await Promise.all([one.next<{ keys: unknown[] }>(), other.next()]);
  assertEquals(mine, theirs);
  assertEquals(mine!.keys.length, 1);
});
