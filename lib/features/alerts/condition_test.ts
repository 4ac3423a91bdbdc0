import { assertEquals } from "@std/assert";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import {
  atLeast,
  atMost,
  type Condition,
  conditions,
  type Observation,
  observe,
} from "./condition.ts";
import { createAlerts } from "./mod.ts";

const BAD: Observation = { state: "bad", details: (since) => ({ since }) };
const OK: Observation = { state: "ok" };
const NEAR: Observation = { state: "near" };
const GONE: Observation = { state: "gone" };

/** Returns a store with the alerts of a condition that is observed every five minutes. */
async function setUp(rule: Omit<Condition, "kind"> = {}) {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.parse("2026-03-01T09:00:00Z") };
  const alerts = createAlerts({ kv, clock: () => clock.now });
  const problem = {
    condition: { kind: "leak", ...rule },
    organisation: "commercial",
    problem: "a",
  };
  return {
    kv,
    clock,
    alerts,
    async see(...observed: Observation[]) {
      for (const one of observed) {
        clock.now += 5 * MINUTE_MS;
        await observe({ kv, clock: () => clock.now }, problem as never, one);
      }
      const { alerts: list } = await alerts.list("commercial", { state: "all" });
      return list.map(({ state, count, by }) => `${state} ${count} ${by}`);
    },
    rows: async () => (await Array.fromAsync(conditions.list(kv, []))).length,
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a condition without numbers is raised at once, once, and resolved at once without leaving a row", async () => {
  using fixture = await setUp();
  assertEquals(await fixture.see(OK, NEAR), []);
  assertEquals(await fixture.see(BAD, BAD, NEAR), ["unread 1 null"]);
  assertEquals(await fixture.see(OK), ["done 1 null"]);
  assertEquals(await fixture.rows(), 0);
  assertEquals(await fixture.see(BAD), ["unread 1 null", "done 1 null"]);
});

Deno.test("a condition is raised after successive findings and resolved after successive absences", async () => {
  using fixture = await setUp({ raiseAfter: { times: 2 }, resolveAfter: 2 });
  assertEquals(await fixture.see(BAD, OK, BAD, NEAR), []);
  assertEquals(await fixture.see(BAD), ["unread 1 null"]);
  assertEquals(await fixture.see(OK, BAD, OK, NEAR), ["unread 1 null"]);
  assertEquals(await fixture.see(OK), ["done 1 null"]);
  assertEquals(await fixture.rows(), 0);
});

Deno.test("a condition is raised once it has lasted, unless it was absent in between or may not raise", async () => {
  using fixture = await setUp({ raiseAfter: { ms: HOUR_MS } });
  const hour = (observed: Observation) => Array.from({ length: 12 }, () => observed);
  assertEquals(await fixture.see(...hour(BAD)), []);
  const goodAt = new Date(fixture.clock.now).toISOString();
  assertEquals(await fixture.see({ ...BAD, goodAt }, ...hour({ ...BAD, raises: false })), []);
  assertEquals(await fixture.see({ ...BAD, goodAt }), ["unread 1 null"]);
  const { alerts: [alert] } = await fixture.alerts.list("commercial");
  assertEquals(alert.reports[0].details, { since: "2026-03-01T10:05:00.000Z" });
  const later = new Date(fixture.clock.now).toISOString();
  assertEquals(await fixture.see({ ...BAD, goodAt: later }), ["done 1 null"]);
});

Deno.test("an alert that somebody marks as done stays done while the condition lasts, unless it reopens", async () => {
  for (
    const [rule, expected] of [[{}, ["done 1 ada"]], [{ reopens: true }, [
      "unread 1 null",
      "done 1 ada",
    ]]] as const
  ) {
    using fixture = await setUp(rule);
    await fixture.see(BAD);
    const { alerts: [alert] } = await fixture.alerts.list("commercial");
    await fixture.alerts.setState(alert, "done", "ada");
    assertEquals(await fixture.see(BAD), expected);
  }
});

Deno.test("an alert that somebody reopened after its condition ended stays open until the condition is gone", async () => {
  using fixture = await setUp({ resolveAfter: 2 });
  assertEquals(await fixture.see(BAD, OK, OK), ["done 1 null"]);
  const { alerts: [alert] } = await fixture.alerts.list("commercial", { state: "all" });
  await fixture.alerts.setState(alert, "read", "ada");
  assertEquals(await fixture.see(OK, OK), ["read 1 ada"]);
  assertEquals(await fixture.see(GONE), ["done 1 null"]);
  assertEquals(await fixture.see(BAD, GONE), ["done 1 null", "done 1 null"]);
  assertEquals(await fixture.rows(), 0);
});

Deno.test("a condition that reopens keeps no row, and gets another report when it has become worse", async () => {
  using fixture = await setUp({ reopens: true });
  assertEquals(await fixture.see(BAD, BAD, { ...BAD, state: "bad", again: true } as Observation), [
    "unread 2 null",
  ]);
  assertEquals(await fixture.see(NEAR), ["unread 2 null"]);
  assertEquals([await fixture.see(OK), await fixture.rows()], [["done 2 null"], 0]);
});

Deno.test("a value between the limits is near, in both directions", () => {
  const low = { bad: 10, ok: 12 };
  assertEquals([9, 10, 11, 12].map((value) => atLeast(value, low)), ["bad", "near", "near", "ok"]);
  const high = { bad: 12n, ok: 10n };
  assertEquals([13n, 12n, 11n, 10n].map((value) => atMost(value, high)), [
    "bad",
    "near",
    "near",
    "ok",
  ]);
});
