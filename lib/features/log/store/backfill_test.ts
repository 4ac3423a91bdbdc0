import { assert, assertEquals, assertRejects } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { createChains } from "../../chain/store/mod.ts";
import { PUBLISHER, range, readAll, writeChain } from "../../chain/testing/fixtures.ts";
import { completionEntry, eventEntry, eventSlot } from "../core.ts";
import { checkStored } from "../testing/fixtures.ts";
import { backfillChains, completeLog, completeSince } from "./backfill.ts";
import { createAddEvent } from "./chains.ts";
import { ChainBehindLogError } from "./pending.ts";
import { sequenceBatch } from "./sequence.ts";
import { logChains, logPending } from "./tables.ts";

const clock = () => Date.UTC(2026, 5, 1);

const hashOf = (i: number) => i.toString(16).padStart(64, "0");

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  const chains = createChains({
    kv,
    clock,
    publisher: PUBLISHER,
    signingKey: undefined,
    addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
  });
  const { step } = backfillChains({ kv, clock });
  if (!("batch" in step)) throw new TypeError("The step has no batches.");
  return {
    kv,
    chains,
    batch: step.batch,
    async fill() {
      for (let cursor: string | null = ""; cursor !== null;) {
        cursor = (await step.batch(cursor)).next;
      }
    },
    async sequence() {
      for (;;) {
        const batch = await sequenceBatch(kv);
        if (!batch.ok || !batch.more) return;
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

/** Asserts that each size of a chain is in the log, opened with the chain's salt. */
async function assertLogged(log: Awaited<ReturnType<typeof setup>>, record: string) {
  const { salt } = (await logChains.get(log.kv, record)).value!;
  const slots = await checkStored(log.kv);
  const events = await readAll(log.chains, record);
  const expected = events.map(({ seq, hash: tip }) =>
    encodeHex(eventEntry({ record, size: seq + 1, tip, salt }).slot)
  );
  assertEquals(expected.filter((slot) => !slots.includes(slot)), []);
}

Deno.test("every size of older chains is logged once, although events are appended meanwhile and batches repeat", async () => {
  using log = await setup();
  const lengths = [1, 3, 450];
  for (const [i, length] of lengths.entries()) {
    await writeChain(log.kv, { hash: hashOf(i), length });
  }
  await log.chains.append(hashOf(1), "record_verified"); // before its backfill
  await Promise.all([
    log.fill(),
    log.batch(""), // the batch of a process that died before it saved its progress
    ...range(0, 5).map(() => log.chains.append(hashOf(2), "record_verified")),
  ]);
  await log.chains.append(hashOf(0), "record_verified"); // after it
  await log.sequence();
  for (const i of range(0, 3)) await assertLogged(log, hashOf(i));
  assertEquals((await checkStored(log.kv)).length, 2 + 4 + 455);
  const entries = await Array.fromAsync(logPending.list(log.kv, []));
  assertEquals(entries, []);
});

Deno.test("the completion entry comes after everything that is older, and only once", async () => {
  using log = await setup();
  await writeChain(log.kv, { hash: hashOf(1), length: 300 });
  let isFilled = false;
  const complete = () => completeLog(log.kv, () => Promise.resolve(isFilled));
  await complete();
  await log.fill();
  isFilled = true;
  await complete();
  assertEquals((await Array.fromAsync(logPending.list(log.kv, [1]))).length, 300);
  await sequenceBatch(log.kv); // a part of them
  await complete();
  await log.sequence();
  assertEquals(await completeSince(log.kv), null);
  await Promise.all([complete(), complete()]);
  await log.sequence();
  await complete();
  await log.sequence();
  const slots = await checkStored(log.kv);
  assertEquals([slots.length, slots.at(-1)], [301, encodeHex(completionEntry().slot)]);
  assertEquals(await completeSince(log.kv), 300);
  assert(slots.includes(encodeHex(eventSlot(hashOf(1), 300))));
});

Deno.test("a chain that lacks an event is not marked as logged, and does not hold up the others", async () => {
  using log = await setup();
  for (const i of [1, 2]) await writeChain(log.kv, { hash: hashOf(i), length: 3 });
  await log.kv.delete(["chain_events", hashOf(1), 1]);
  await log.fill();
  await log.sequence();
  assertEquals((await logChains.get(log.kv, hashOf(1))).value, null);
  await assertLogged(log, hashOf(2));
});

Deno.test("a chain whose salt was lost with a restored backup gets no second entries, and no events", async () => {
  using log = await setup();
  await writeChain(log.kv, { hash: hashOf(1), length: 2 });
  await log.fill();
  await log.sequence();
  await log.kv.delete(logChains.key(hashOf(1)));
  await log.fill();
  assertEquals(await Array.fromAsync(logPending.list(log.kv, [])), []);
  await assertRejects(
    () => log.chains.append(hashOf(1), "record_verified"),
    ChainBehindLogError,
  );
});
