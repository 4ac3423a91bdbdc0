import { assertEquals, assertRejects } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { createSecrets } from "../secrets.ts";
import { defineLimit, type LimitOptions } from "./limits.ts";
import { openKv } from "./open.ts";
import { takeSlot } from "./sliding_window.ts";

const define = <Max extends number | null>(options: Partial<LimitOptions<Max>> & { limit: Max }) =>
  defineLimit<Max>({ name: "notes", windowMs: HOUR_MS, per: "note", ...options });

Deno.test("a limit is a part of the table of limits, and its rows are kept for the length of its window", () => {
  assertEquals(
    [10 * MINUTE_MS, HOUR_MS, 3 * DAY_MS].map((windowMs) => {
      const { prefix, part, lifetime, owner } = define({ limit: 3, windowMs });
      return [prefix, part, lifetime.kept, lifetime.removedBy, owner];
    }),
    [
      ["limits", "notes", "10 minutes", "store", "nobody"],
      ["limits", "notes", "1 hour", "store", "nobody"],
      ["limits", "notes", "3 days", "store", "nobody"],
    ],
  );
});

Deno.test("of() returns the declared window, with the given number if the configuration has it", () => {
  const expected = { key: ["limits", "notes", "a", 1], limit: 3, windowMs: HOUR_MS };
  assertEquals(define({ limit: 3 }).of(["a", 1]), expected);
  const approximate = define({ limit: null, approximate: true }).of(["a", 1], 7);
  assertEquals(approximate, { ...expected, limit: 7, approximate: true });
});

Deno.test("calls that were counted with an older secret count after it was replaced", async () => {
  using kv = await openKv(":memory:");
  const [old, current] = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const now = Date.now();
  const takeWith = async (...given: Uint8Array<ArrayBuffer>[]) => {
    const secrets = createSecrets({ kv, given });
    const by = { secrets, purpose: "sign-in-limit" } as const;
    return await takeSlot(kv, await define({ limit: 3 }).signed(by, "ada", ["site"]), () => now);
  };
  for (let i = 0; i < 2; i++) assertEquals((await takeWith(old)).ok, true);
  assertEquals((await takeWith(current, old)).ok, true);
  assertEquals((await takeWith(current, old)).ok, false);
  assertEquals((await takeWith(current)).ok, true, "which alone has counted one");
});

Deno.test("signed() returns keys that differ by the parts before the signature, and do not contain the text", async () => {
  using kv = await openKv(":memory:");
  const secrets = createSecrets({ kv, given: [1, 2].map((byte) => new Uint8Array(32).fill(byte)) });
  const by = { secrets, purpose: "sign-in-limit" } as const;
  const { key, earlier } = await define({ limit: 3 }).signed(by, "ada", ["site"]);
  assertEquals([key, ...earlier!].map((each) => each.slice(0, 3)), [
    ["limits", "notes", "site"],
    ["limits", "notes", "site"],
  ]);
  assertEquals(new Set([key, ...earlier!].flat()).size, 5);
  assertEquals(JSON.stringify([key, earlier]).includes("ada"), false);
});

Deno.test("deleteOf() deletes the times of one record, and only those of a limit that belongs to records", async () => {
  using kv = await openKv(":memory:");
  const limits = [define({ limit: 3, owner: "record" }), define({ limit: 3, name: "others" })];
  const count = async () => (await Array.fromAsync(kv.list({ prefix: ["limits"] }))).length;
  for (const limit of limits) {
    for (const hash of ["one", "two"]) await takeSlot(kv, limit.of([hash]), Date.now);
  }
  for (const limit of limits) await limit.deleteOf(kv, "one");
  assertEquals(await count(), 3);
  assertEquals((await kv.get(limits[0].of(["one"]).key)).value, null);
  await assertRejects(() => limits[0].move(kv, "one", "two", 0), TypeError);
});
