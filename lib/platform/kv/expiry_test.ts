import { assert, assertEquals } from "@std/assert";
import { expiring, getLive, isLive, isoAfter } from "./expiry.ts";
import { openKv } from "./open.ts";

Deno.test("isLive() returns true before expires_at and false from then on", () => {
  const value = { expires_at: isoAfter(1_000, 500) };
  assertEquals(value.expires_at, "1970-01-01T00:00:01.500Z");
  assert(isLive(value, 1_499));
  assert(!isLive(value, 1_500));
  assert(!isLive(value, 1_501));
});

Deno.test("isLive() returns false for an invalid expires_at", () => {
  assert(!isLive({ expires_at: "soon" }, 0));
});

Deno.test("getLive() returns null for an expired value that the store still has", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const value = { expires_at: isoAfter(now, 1_000), text: "kept" };
  await kv.set(["a"], value, expiring(value, now));
  assertEquals((await getLive<typeof value>(kv, ["a"], now + 999))?.value, value);
  assertEquals(await getLive(kv, ["a"], now + 1_000), null);
  assertEquals((await kv.get(["a"])).value, value);
  assertEquals(await getLive(kv, ["b"], now), null);
});

Deno.test("expiring() returns the remaining time, at least one millisecond", () => {
  const value = { expires_at: isoAfter(0, 5_000) };
  assertEquals(expiring(value, 2_000), { expireIn: 3_000 });
  assertEquals(expiring(value, 9_000), { expireIn: 1 });
});
