import { assert, assertEquals, assertRejects } from "@std/assert";
import { openKv } from "./open.ts";
import { tempKv } from "./testing/temp_kv.ts";
import { MAX_LIMIT, readSlot, takeSlot } from "./sliding_window.ts";
import { transact } from "./transact.ts";

const HOUR = 3_600_000;

/** Takes a slot. Returns the milliseconds to wait, or 0 if it was taken. */
const take = (kv: Deno.Kv, now: number, limit = 3) =>
  transact(async () => {
    const slot = await readSlot(kv, { key: ["window"], limit, windowMs: HOUR }, now);
    if (slot.waitMs > 0) return { result: slot.waitMs };
    const commit = kv.atomic();
    slot.take(commit);
    return { result: 0, commit };
  });

Deno.test("a window slides: a slot is free again one window after it was taken", async () => {
  using kv = await openKv(":memory:");
  const start = Date.now();
  const steps: [after: number, wait: number][] = [
    [0, 0],
    [1_000, 0],
    [HOUR - 2, 0],
    [HOUR - 1, 1],
    [HOUR, 0],
    [HOUR, 1_000],
    [HOUR + 999, 1],
    [HOUR + 1_000, 0],
    [HOUR + 1_000, HOUR - 1_002],
    [2 * HOUR - 3, 1],
    [2 * HOUR - 2, 0],
  ];
  for (const [after, wait] of steps) assertEquals(await take(kv, start + after), wait, `${after}`);
});

Deno.test("takeSlot() counts a call, and returns rate_limited above the limit", async () => {
  using kv = await openKv(":memory:");
  const window = { key: ["window"], limit: 1, windowMs: HOUR };
  const start = Date.now();
  assertEquals(await takeSlot(kv, window, () => start), { ok: true });
  const refused = await takeSlot(kv, window, () => start + 1_001);
  assertEquals(refused, { ok: false, error: "rate_limited", retryAfterSeconds: 3_599 });
  assertEquals(await takeSlot(kv, window, () => start + HOUR), { ok: true });
});

Deno.test("rejected calls do not extend the wait", async () => {
  using kv = await openKv(":memory:");
  const start = Date.now();
  await take(kv, start, 1);
  for (let i = 1; i <= 50; i++) assertEquals(await take(kv, start + i, 1), HOUR - i);
  assertEquals(await take(kv, start + HOUR, 1), 0);
});

Deno.test("exactly as many of 100 concurrent calls pass as the limit allows", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const waits = await Promise.all(Array.from({ length: 100 }, () => take(kv, now, 7)));
  assertEquals(waits.filter((wait) => wait === 0).length, 7);
  assertEquals(waits.filter((wait) => wait === HOUR).length, 93);
});

Deno.test("times that arrive out of order are sorted", async () => {
  using kv = await openKv(":memory:");
  const start = Date.now();
  await take(kv, start + 500, 2);
  await take(kv, start, 2);
  assertEquals(await take(kv, start + 500, 2), HOUR - 500);
  assertEquals(await take(kv, start + HOUR, 2), 0);
});

Deno.test("a clock that is set back by a day locks nobody out", async () => {
  using kv = await openKv(":memory:");
  const start = Date.now();
  await take(kv, start + 24 * HOUR, 1);
  assertEquals(await take(kv, start, 1), 0);
  assertEquals(await take(kv, start + 1, 1), HOUR - 1);
});

Deno.test("the largest limit fits into a value, and a larger one is a RangeError", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const times = Array.from({ length: MAX_LIMIT }, (_, i) => now - HOUR + 1 + i + 0.5);
  await kv.set(["window"], { times, expires_at: "" });
  assertEquals(await take(kv, now, MAX_LIMIT), 1.5);
  assertEquals(await take(kv, now + 2, MAX_LIMIT), 0);
  for (const limit of [0, -1, NaN, MAX_LIMIT + 1]) {
    await assertRejects(() => take(kv, now, limit), RangeError);
  }
});

Deno.test("takeSlot() counts a call in all windows, or in none if one of them is full", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const windows = [1, 3].map((limit) => ({ key: ["window", limit], limit, windowMs: HOUR }));
  assertEquals((await takeSlot(kv, windows, () => now)).ok, true);
  for (let i = 0; i < 3; i++) assertEquals((await takeSlot(kv, windows, () => now)).ok, false);
  for (const left of [true, true, false]) {
    assertEquals((await takeSlot(kv, windows[1], () => now)).ok, left);
  }
});

for (const limit of [1, 4, 5, 20, 300]) {
  Deno.test(`an approximate limit of ${limit} lets exactly as many calls pass one after another`, async () => {
    using kv = await openKv(":memory:");
    const window = { key: ["window"], limit, windowMs: HOUR, approximate: true };
    const start = Date.now();
    for (let i = 0; i < limit; i++) {
      assert((await takeSlot(kv, window, () => start + i)).ok, `${i}`);
    }
    assertEquals((await takeSlot(kv, window, () => start + limit)).ok, false);
    assertEquals((await takeSlot(kv, window, () => start + HOUR)).ok, true);
    assertEquals((await takeSlot(kv, window, () => start + HOUR)).ok, false);
  });
}

for (const limit of [4, 10, 40]) {
  Deno.test(`an approximate limit of ${limit} lets at most a fifth more calls of several processes pass`, async () => {
    await using store = await tempKv();
    const handles = [store.kv, await openKv(store.path), await openKv(store.path)];
    const window = { key: ["window"], limit, windowMs: HOUR, approximate: true };
    const now = Date.now();
    const calls = Array.from(
      { length: 2 * limit },
      (_, i) => takeSlot(handles[i % 3], window, () => now),
    );
    const passed = (await Promise.all(calls)).filter(({ ok }) => ok).length;
    assert(passed >= limit && passed <= limit * 1.2, `${passed}`);
    for (const kv of handles.slice(1)) kv.close();
  });
}
