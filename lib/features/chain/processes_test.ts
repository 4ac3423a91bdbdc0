import { assert, assertEquals } from "@std/assert";
import { spawnChild } from "../../platform/kv/testing/spawn_child.ts";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import type { LinkedEvent } from "../../../packages/proof/mod.ts";
import { createTestChains, HASH, range, readAll, verifyStored } from "./testing/fixtures.ts";

const PROCESS = import.meta.resolve("./testing/append_process.ts");

const ascending = (numbers: number[]) => numbers.toSorted((a, b) => a - b);

Deno.test("500 concurrent appends to one chain produce 500 events with consecutive seqs", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  const appended = await Promise.all(
    range(0, 500).map(() => chains.append(HASH, "record_verified")),
  );
  assertEquals(ascending(appended.map((one) => one!.event.seq)), range(1, 501));
  assertEquals((await readAll(chains)).map(({ seq }) => seq), range(0, 501));
  const result = await verifyStored(chains);
  assertEquals(result.ok && [result.size, result.signedSize], [501, 501]);
});

Deno.test("two processes with 250 concurrent appends each produce 500 events with consecutive seqs", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await chains.start(HASH);
  await using one = await spawnChild(PROCESS, store.path, "append", HASH, "250");
  await using other = await spawnChild(PROCESS, store.path, "append", HASH, "250");
  await Promise.all([one.go(), other.go()]);
  const seqs = await Promise.all([one.next<number[]>(), other.next<number[]>()]);
  assertEquals(ascending(seqs.flatMap((own) => own!)), range(1, 501));
  assertEquals((await readAll(chains)).map(({ seq }) => seq), range(0, 501));
  const result = await verifyStored(chains);
  assertEquals(result.ok && [result.size, result.signedSize], [501, 501]);
});

Deno.test("two processes that start at the same time generate one key", async () => {
  await using store = await tempKv();
  await using one = await spawnChild(PROCESS, store.path, "keys", HASH);
  await using other = await spawnChild(PROCESS, store.path, "keys", HASH);
  await Promise.all([one.go(), other.go()]);
  const [mine, theirs] = await Promise.all([one.next<{ keys: unknown[] }>(), other.next()]);
  assertEquals(mine, theirs);
  assertEquals(mine!.keys.length, 1);
});

/** Lets a process append until it has acknowledged `count` events, then kills it with SIGKILL. */
async function appendUntilKilled(path: string, count: number): Promise<LinkedEvent[]> {
  await using child = await spawnChild(PROCESS, path, "append-forever", HASH);
  await child.go();
  const acknowledged: LinkedEvent[] = [];
  for (let event; (event = await child.next<LinkedEvent>()) !== undefined;) {
    acknowledged.push(event);
    if (acknowledged.length === count) child.kill();
  }
  return acknowledged;
}

Deno.test("no acknowledged event is lost when processes are killed while appending", async () => {
  await using store = await tempKv();
  await createTestChains(store.kv).chains.start(HASH);
  const acknowledged: LinkedEvent[] = [];
  for (const count of [30, 71, 113]) {
    acknowledged.push(...await appendUntilKilled(store.path, count));
  }
  assert(acknowledged.length >= 214, `${acknowledged.length}`);

  const { chains } = createTestChains(store.kv);
  const events = await readAll(chains);
  for (const event of acknowledged) assertEquals(events[event.seq], event);
  const result = await verifyStored(chains);
  assertEquals(result.ok && result.signedSize, events.length);

  const next = await chains.append(HASH, "record_verified");
  assertEquals(next!.event.seq, events.length);
  assert((await verifyStored(chains)).ok);
});
