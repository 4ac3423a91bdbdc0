import { assertEquals } from "@std/assert";
import { createAlerts } from "../alerts/mod.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { createOutageJob } from "./outage.ts";
import type { BankErrorCode } from "./provider.ts";

const START = Date.parse("2026-03-01T09:00:00Z");

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: START };
  const alerts = createAlerts({ kv, clock: () => clock.now });
  /** The responses of the commercial bank; the foundation's always responds. */
  const bank: { error: BankErrorCode | null | undefined; lastResponse: string | null } = {
    error: null,
    lastResponse: null,
  };
  const job = createOutageJob({
    kv,
    clock: () => clock.now,
    lowBalance: { check: () => Promise.resolve(0) },
    treasuries: {
      foundation: {
        probe: () => Promise.resolve({ accounts: [] }),
        lastResponse: () => Promise.resolve(null),
      },
      commercial: {
        probe: () =>
          Promise.resolve(
            bank.error === undefined
              ? null
              : bank.error === null
              ? { accounts: [] }
              : { error: bank.error },
          ),
        lastResponse: () => Promise.resolve(bank.lastResponse),
      },
    },
  });
  const signal = new AbortController().signal;
  const run = () => job.run({ cursor: null, signal, save: () => Promise.resolve() });
  return {
    kv,
    bank,
    clock,
    run,
    /** Runs the job every five minutes, at the start and at the end of a period. */
    async pass(minutes: number, error: BankErrorCode | null | undefined) {
      bank.error = error;
      for (let passed = 0; passed < minutes; passed += 5) {
        clock.now += 5 * MINUTE_MS;
        await run();
      }
    },
    alerts: async () => {
      const list = async (organisation: "foundation" | "commercial") =>
        (await alerts.list(organisation)).alerts;
      assertEquals(await list("foundation"), []);
      return (await list("commercial")).map(({ state, count, reports: [{ details }], by }) => ({
        state,
        count,
        since: String(details.since).slice(11, 16),
        error: details.error,
        by,
      }));
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

const OPEN = { state: "unread", count: 1, by: null, error: "network_error", since: "09:05" };

Deno.test("a bank that fails for an hour without a success in between has one open alert", async () => {
  using fixture = await setup();
  const { pass, alerts, run } = fixture;
  await pass(60, "network_error");
  assertEquals(await alerts(), []);
  await pass(5, "network_error");
  assertEquals(await alerts(), [OPEN]);
  await pass(60, "upstream_error");
  assertEquals(await alerts(), [OPEN]);
  assertEquals(await run(), "foundation: responds, commercial: upstream_error");
});

Deno.test("a successful read by the job or a person restarts the hour", async () => {
  using fixture = await setup();
  const { pass, alerts, bank, clock } = fixture;
  await pass(55, "rate_limited");
  await pass(5, null);
  await pass(55, "rate_limited");
  assertEquals(await alerts(), []);
  bank.lastResponse = new Date(clock.now - 1).toISOString();
  await pass(60, "rate_limited");
  assertEquals(await alerts(), []);
  await pass(5, "rate_limited");
  assertEquals(await alerts(), [{ ...OPEN, error: "rate_limited", since: "11:00" }]);
});

Deno.test("when the bank responds again or its token is removed, the alert is done", async () => {
  using fixture = await setup();
  const { pass, alerts, kv, bank, clock } = fixture;
  await pass(65, "network_error");
  await pass(5, null);
  const done = { ...OPEN, state: "done" };
  assertEquals(await alerts(), [done]);
  assertEquals(
    (await kv.get(["conditions", "commercial", "bank_unreachable", "bank"])).value,
    null,
  );

  await pass(65, "network_error");
  await pass(5, undefined);
  assertEquals((await alerts()).map(({ state }) => state), ["done", "done"]);

  await pass(65, "network_error");
  bank.lastResponse = new Date(clock.now).toISOString();
  await pass(5, "network_error");
  assertEquals((await alerts()).map(({ state }) => state), ["done", "done", "done"]);
});
