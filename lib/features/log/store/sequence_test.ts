import { assert, assertEquals, assertRejects } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { tempKv } from "../../../platform/kv/testing/temp_kv.ts";
import { range } from "../../chain/testing/fixtures.ts";
import { addEntries, checkStored, countPending, testEntries } from "../testing/fixtures.ts";
import { addPending, ChainBehindLogError, LANES, LogHaltedError } from "./pending.ts";
import { sequenceBatch } from "./sequence.ts";
import { logHalted } from "./tables.ts";

const openTestKv = async () => limitKv(await openKv(":memory:"));

const names = (prefix: string, count: number) => range(0, count).map((i) => `${prefix} ${i}`);

const slotsOf = (list: readonly string[]) =>
  testEntries(list).map(({ slot }) => encodeHex(slot)).sort();

Deno.test("batches of pending entries become one tree, sorted by slot within a batch", async () => {
  using kv = await openTestKv();
  for (const size of [1, 3, 200, 256, 300, 1]) await addEntries(kv, names(String(size), size));
  const before = await countPending(kv);
  const sizes = [];
  for (let more = true; more;) {
    const batch = await sequenceBatch(kv);
    if (!batch.ok) throw new Error(batch.reason);
    more = batch.more;
    sizes.push(batch.size);
  }
  assertEquals(sizes, [256, 512, before]);
  const slots = await checkStored(kv);
  assertEquals(slots.slice(0, 256), slots.slice(0, 256).sort());
  assertEquals(await countPending(kv), 0);
});

Deno.test("live entries come before those of a log that begins again, and the oldest before a flood with lower slots", async () => {
  using kv = await openTestKv();
  const old = names("old", 300);
  await addEntries(kv, old, { lane: LANES.again });
  await addEntries(kv, ["first"], { now: 10_000 });
  await addEntries(kv, names("flood", 300), { now: 20_000 });
  await sequenceBatch(kv);
  const slots = await checkStored(kv);
  assert(slots.includes(slotsOf(["first"])[0]));
  assertEquals(slots.filter((slot) => slotsOf(old).includes(slot)), []);
});

Deno.test("two batches at the same time: one succeeds, the other changes nothing", async () => {
  using kv = await openTestKv();
  await addEntries(kv, names("a", 400));
  const results = await Promise.all([sequenceBatch(kv), sequenceBatch(kv)]);
  assertEquals(results.map(({ ok }) => ok).sort(), [false, true]);
  assertEquals((await checkStored(kv)).length, 256);
  await sequenceBatch(kv);
  assertEquals(await checkStored(kv).then((slots) => slots.toSorted()), slotsOf(names("a", 400)));
});

Deno.test("a halted log adds no entries and refuses new ones", async () => {
  using kv = await openTestKv();
  await addEntries(kv, ["a"]);
  const row = { by: "anchor", at: "2026-01-01T00:00:00.000Z", checkpoint: "", response: "" };
  await kv.set(logHalted.key(), row);
  assertEquals(await sequenceBatch(kv), { ok: false, reason: "halted" });
  await assertRejects(() => addPending(kv, kv.atomic(), testEntries(["b"]), 0), LogHaltedError);
});

Deno.test("an entry whose slot is in the log is refused, even if it was added in between", async () => {
  using kv = await openTestKv();
  const commit = kv.atomic();
  await addPending(kv, commit, testEntries(["a"]), 0);
  await addEntries(kv, ["a"]);
  await sequenceBatch(kv);
  assertEquals((await commit.commit()).ok, false);
  await assertRejects(
    () => addPending(kv, kv.atomic(), testEntries(["a"]), 0),
    ChainBehindLogError,
  );
});

Deno.test("entries added while other processes sequence are logged once each", async () => {
  await using store = await tempKv();
  const { kv } = store;
  let adding = true;
  const add = async () => {
    for (const i of range(0, 40)) await addEntries(kv, names(`${i}`, 25), { now: i * 1000 });
    adding = false;
  };
  const sequence = async () => {
    while (adding || await countPending(kv) > 0) await sequenceBatch(kv);
  };
  await Promise.all([add(), sequence(), sequence(), sequence()]);
  const all = range(0, 40).flatMap((i) => names(`${i}`, 25));
  assertEquals((await checkStored(kv)).toSorted(), slotsOf(all));
});
