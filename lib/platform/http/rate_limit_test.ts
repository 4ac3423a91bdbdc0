import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRateLimiter } from "./rate_limit.ts";

const WINDOW = 60_000;

function limiterAt(limit: number, maxClients = 100) {
  const time = { now: 1_700_000_012_345 };
  const clock = () => time.now;
  return {
    time,
    limiter: createRateLimiter({ limit, windowMs: WINDOW, monotonic: clock, maxClients }),
  };
}

Deno.test("the 61st call is rejected until the first call has left the window", () => {
  const { time, limiter } = limiterAt(60);
  for (let i = 0; i < 60; i++) {
    assert(limiter.take("a").ok);
    time.now += 100;
  }
  assertEquals(limiter.take("a"), { ok: false, error: "rate_limited", retryAfterSeconds: 54 });
  assert(limiter.take("b").ok);
  time.now += 53_999;
  assertEquals(limiter.take("a"), { ok: false, error: "rate_limited", retryAfterSeconds: 1 });
  time.now += 1;
  assert(limiter.take("a").ok);
  assert(!limiter.take("a").ok);
});

Deno.test("no window contains more calls than the limit", () => {
  const steps = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 4 })), {
    maxLength: 200,
  });
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 9 }), (steps, limit) => {
    const { time, limiter } = limiterAt(limit);
    const passed: number[] = [];
    for (const [pause, cost] of steps) {
      time.now += pause;
      const recent = passed.filter((at) => at > time.now - WINDOW).length;
      const result = limiter.take("a", cost);
      assertEquals(result.ok, recent + cost <= limit);
      if (result.ok) passed.push(...Array(cost).fill(time.now));
    }
  }));
});

Deno.test("the same call passes after retryAfterSeconds", () => {
  const { time, limiter } = limiterAt(10);
  for (let i = 0; i < 10; i++) {
    limiter.take("a");
    time.now += 777;
  }
  const result = limiter.take("a", 4);
  if (result.ok) throw new Error("the limit did not hold");
  time.now += result.retryAfterSeconds * 1000;
  assert(limiter.take("a", 4).ok);
});

Deno.test("a limit of 0 allows every call", () => {
  const { limiter } = limiterAt(0);
  for (let i = 0; i < 1000; i++) assert(limiter.take("a", 50).ok);
});

Deno.test("a flood of addresses neither resets a count nor removes a client", () => {
  const { time, limiter } = limiterAt(3, 8);
  for (let i = 0; i < 3; i++) assert(limiter.take("spent").ok);
  assert(limiter.take("quiet").ok);
  for (let i = 0; i < 10_000; i++) limiter.take(`flood-${i}`);
  assert(!limiter.take("spent").ok);
  assert(limiter.take("quiet", 2).ok);
  assert(!limiter.take("quiet").ok);
  time.now += WINDOW;
  assert(limiter.take("spent").ok);
});

Deno.test("a flood of addresses gets no more calls than the counters allow", () => {
  const { limiter } = limiterAt(3, 8);
  let passed = 0;
  for (let i = 0; i < 10_000; i++) if (limiter.take(`flood-${i}`).ok) passed++;
  // Eight clients with their own counters make one call each, and the shared counter allows three.
  assertEquals(passed, 8 + 3);
});

Deno.test("new clients replace idle ones", () => {
  const { time, limiter } = limiterAt(3, 2);
  limiter.take("a");
  limiter.take("b");
  time.now += WINDOW;
  for (const key of ["c", "d"]) {
    assert(limiter.take(key, 3).ok);
    assert(!limiter.take(key).ok);
  }
});

Deno.test("left() returns how many further calls are allowed", () => {
  const steps = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 4 })), {
    maxLength: 60,
  });
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 9 }), (steps, limit) => {
    const { time, limiter } = limiterAt(limit);
    assertEquals(limiter.left("a"), { calls: limit, moreInMs: 0 });
    const passed: number[] = [];
    for (const [pause, cost] of steps) {
      time.now += pause;
      if (limiter.take("a", cost).ok) passed.push(...Array(cost).fill(time.now));
      const recent = passed.filter((at) => at > time.now - WINDOW);
      assertEquals(limiter.left("a"), {
        calls: limit - recent.length,
        moreInMs: recent.length === 0 ? 0 : recent[0] + WINDOW - time.now,
      });
    }
    assertEquals(limiter.left("b"), { calls: limit, moreInMs: 0 });
  }));
});
