import { assert, assertEquals } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { spawnChild } from "../../../platform/kv/testing/spawn_child.ts";
import { tempKv } from "../../../platform/kv/testing/temp_kv.ts";
import { edgeNodes, parseCheckpoint, readNodes, rootOf } from "../../../../packages/proof/mod.ts";
import { checkStored, countPending, testEntries } from "../testing/fixtures.ts";
import { createFileAnchor } from "./anchor.ts";
import { sequenceBatch } from "./sequence.ts";
import { logCheckpoint, logCheckpoints, logHalted } from "./tables.ts";
import { storedTiles } from "./tree.ts";

const PROCESS = import.meta.resolve("../testing/log_process.ts");

/** Runs a process until it has committed a number of batches of entries, then kills it with SIGKILL. */
async function addUntilKilled(path: string, prefix: string, batches: number): Promise<string[]> {
  await using child = await spawnChild(PROCESS, path, prefix);
  await child.go();
  const added: string[] = [];
  let count = 0;
  for (let names; (names = await child.next<string[]>()) !== undefined;) {
    added.push(...names);
    if (++count === batches) child.kill();
  }
  assert(count >= batches, `The process ended after ${count} batches.`);
  return added;
}

Deno.test("three processes, killed again and again, log every entry once and sign only trees that extend each other", async () => {
  await using store = await tempKv();
  const { kv, path } = store;
  const added: string[] = [];
  for (const round of [1, 2]) {
    const rounds = [7, 23, 41].map((batches) =>
      addUntilKilled(path, `${round} ${batches}`, batches * round)
    );
    added.push(...(await Promise.all(rounds)).flat());
  }
  while (await countPending(kv) > 0) await sequenceBatch(kv);
  const slots = await checkStored(kv);
  assertEquals(new Set(slots).size, slots.length);
  const logged = new Set(slots);
  const missing = testEntries(added).filter(({ slot }) => !logged.has(encodeHex(slot)));
  assertEquals(missing, []);

  const checkpoints = await Array.fromAsync(logCheckpoints.list(kv, []));
  assert(checkpoints.length > 3, `${checkpoints.length} checkpoints`);
  for (const { key: [, size], value } of checkpoints) {
    const checkpoint = parseCheckpoint(value.text)!;
    assertEquals(checkpoint.size, size);
    const nodes = await readNodes(edgeNodes(checkpoint.size), slots.length, storedTiles(kv));
    assertEquals(encodeHex(checkpoint.root), encodeHex(rootOf(nodes)));
  }
  const published = (await logCheckpoint.get(kv)).value!;
  assertEquals(published.size, Math.max(...checkpoints.map(({ key }) => Number(key[1]))));
  const anchored = await createFileAnchor(`${path}.anchor`).read();
  assert(anchored!.size > 0 && anchored!.size <= slots.length);
  assertEquals((await logHalted.get(kv)).value, null);
});
