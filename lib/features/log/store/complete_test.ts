import { assertEquals } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { completionEntry } from "../../../../packages/proof/mod.ts";
import { range } from "../../chain/testing/fixtures.ts";
import { addEntries, checkStored } from "../testing/fixtures.ts";
import { completeLog } from "./complete.ts";
import { LANES } from "./pending.ts";
import { sequenceBatch } from "./sequence.ts";
import { logIndex } from "./tables.ts";

/** Returns the index of the entry that says that the log is complete; null before. */
const completeSince = async (kv: Deno.Kv): Promise<number | null> =>
  (await logIndex.get(kv, encodeHex(completionEntry().slot))).value;

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  return {
    kv,
    complete: () => completeLog(kv),
    async sequence() {
      for (;;) {
        const batch = await sequenceBatch(kv);
        if (!batch.ok || !batch.more) return;
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a new log is complete from its first batch on, and says so only once", async () => {
  using log = await setup();
  await addEntries(log.kv, ["a"]);
  await Promise.all([log.complete(), log.complete()]);
  await log.sequence();
  await log.complete();
  await log.sequence();
  assertEquals((await checkStored(log.kv)).length, 2);
  assertEquals(typeof await completeSince(log.kv), "number");
});

Deno.test("the completion entry of a log that begins again comes after all earlier entries", async () => {
  using log = await setup();
  await addEntries(log.kv, range(0, 300).map(String), { lane: LANES.again });
  await log.complete();
  await sequenceBatch(log.kv); // a part of them
  await log.complete();
  await log.sequence();
  assertEquals(await completeSince(log.kv), null);
  await log.complete();
  await log.sequence();
  const slots = await checkStored(log.kv);
  assertEquals([slots.length, slots.at(-1)], [301, encodeHex(completionEntry().slot)]);
  assertEquals(await completeSince(log.kv), 300);
});
