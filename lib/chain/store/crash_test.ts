import { assert, assertEquals } from "@std/assert";
import { spawnChild } from "../../kv/testing/spawn_child.ts";
import { tempKv } from "../../kv/testing/temp_kv.ts";
import type { LinkedEvent } from "../mod.ts";
import { HASH, readAll, stageOf, verifyStored } from "./testing/stage.ts";

const CHILD = import.meta.resolve("./testing/child.ts");

/** Lets a process append until it has acknowledged enough, then SIGKILL; all that it said. */
async function appendUntilKilled(path: string, enough: number): Promise<LinkedEvent[]> {
  await using child = await spawnChild(CHILD, path, "append-for-ever", HASH);
  await child.go();
  const said: LinkedEvent[] = [];
  for (let event; (event = await child.next<LinkedEvent>()) !== undefined;) {
    said.push(event);
    if (said.length === enough) child.kill();
  }
  return said;
}

Deno.test("killed in the middle of appends, three times: no acknowledged event is lost, the chain verifies", async () => {
  await using store = await tempKv();
  await stageOf(store.kv).chains.start(HASH);
  const said: LinkedEvent[] = [];
  for (const enough of [30, 71, 113]) said.push(...await appendUntilKilled(store.path, enough));
  assert(said.length >= 214, `${said.length}`);

  const { chains } = stageOf(store.kv);
  const events = await readAll(chains);
  for (const event of said) assertEquals(events[event.seq], event, "an acknowledged event is lost");
  const result = await verifyStored(chains);
  assertEquals(result.ok && result.signedSize, events.length);

  const next = await chains.append(HASH, "record_verified");
  assertEquals(next!.event.seq, events.length);
  assert((await verifyStored(chains)).ok);
});
