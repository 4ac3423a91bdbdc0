import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { createRateLimiter } from "./rate_limit.ts";

const WINDOW = 60_000;

function limiterAt(limit: number, maxClients = 100) {
  const time = { now: 1_700_000_012_345 };
  const clock = () => time.now;
  return { time, limiter: createRateLimiter({ limit, windowMs: WINDOW, clock, maxClients }) };
}

Deno.test("a client may call as often as the limit, then waits for its first call to age", () => {
  const { time, limiter } = limiterAt(60);
  for (let i = 0; i < 60; i++) {
    assert(limiter.take("a").allowed);
    time.now += 100;
  }
  assertEquals(limiter.take("a"), { allowed: false, retryAfterSeconds: 54 });
  assert(limiter.take("b").allowed);
  time.now += 53_999;
  assertEquals(limiter.take("a"), { allowed: false, retryAfterSeconds: 1 });
  time.now += 1;
  assert(limiter.take("a").allowed);
  assert(!limiter.take("a").allowed);
});

Deno.test("no window of any start holds more calls than the limit", () => {
  const steps = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 4 })), {
    maxLength: 200,
  });
  fc.assert(fc.property(steps, fc.integer({ min: 1, max: 9 }), (steps, limit) => {
    const { time, limiter } = limiterAt(limit);
    const passed: number[] = [];
    for (const [pause, cost] of steps) {
      time.now += pause;
      const recent = passed.filter((at) => at > time.now - WINDOW).length;
      const decision = limiter.take("a", cost);
      assertEquals(decision.allowed, recent + cost <= limit);
      if (decision.allowed) passed.push(...Array(cost).fill(time.now));
    }
  }));
});

Deno.test("after the seconds that it names, the same call passes", () => {
  const { time, limiter } = limiterAt(10);
  for (let i = 0; i < 10; i++) {
    limiter.take("a");
    time.now += 777;
  }
  const decision = limiter.take("a", 4);
  if (decision.allowed) throw new Error("the limit did not hold");
  time.now += decision.retryAfterSeconds * 1000;
  assert(limiter.take("a", 4).allowed);
});

Deno.test("a limit of 0 is none", () => {
  const { limiter } = limiterAt(0);
  for (let i = 0; i < 1000; i++) assert(limiter.take("a", 50).allowed);
});

Deno.test("a flood of addresses neither resets a count nor pushes anybody out", () => {
  const { time, limiter } = limiterAt(3, 8);
  for (let i = 0; i < 3; i++) assert(limiter.take("spent").allowed);
  assert(limiter.take("quiet").allowed);
  for (let i = 0; i < 10_000; i++) limiter.take(`flood-${i}`);
  assert(!limiter.take("spent").allowed);
  assert(limiter.take("quiet", 2).allowed);
  assert(!limiter.take("quiet").allowed);
  time.now += WINDOW;
  assert(limiter.take("spent").allowed);
});

Deno.test("a flood of addresses is let through no further than the places allow", () => {
  const { limiter } = limiterAt(3, 8);
  let passed = 0;
  for (let i = 0; i < 10_000; i++) if (limiter.take(`flood-${i}`).allowed) passed++;
  // Eight of their own with a call each, and one shared place with three.
  assertEquals(passed, 8 + 3);
});

Deno.test("places of idle clients are given to newcomers", () => {
  const { time, limiter } = limiterAt(3, 2);
  limiter.take("a");
  limiter.take("b");
  time.now += WINDOW;
  for (const key of ["c", "d"]) {
    assert(limiter.take(key, 3).allowed);
    assert(!limiter.take(key).allowed);
  }
});
