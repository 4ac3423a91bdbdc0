import { assertEquals } from "@std/assert";
import { createAlerts } from "../alerts/mod.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { createHealthJob, readHealth } from "./health_job.ts";
import type { Reading } from "./readings.ts";

async function setUp() {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.parse("2026-03-01T20:00:00.000Z") };
  const alerts = createAlerts({ kv, clock: () => clock.now });
  let readings: Reading[] = [];
  const job = createHealthJob({
    kv,
    clock: () => clock.now,
    measure: () => Promise.resolve({ process: "a", certificates_at: null, readings }),
  });
  return {
    kv,
    /** Runs the job every five minutes, each time with these readings. */
    async run(...all: Partial<Reading>[][]) {
      for (const some of all) {
        readings = some.map((one) => ({ ...DISK, ...one }));
        clock.now += 5 * MINUTE_MS;
        const signal = new AbortController().signal;
        await job.run({ cursor: null, signal, save: () => Promise.resolve() });
      }
    },
    async alerts(organisation: "foundation" | "commercial" = "commercial") {
      const { alerts: list } = await alerts.list(organisation, { state: "all" });
      return list.map(({ problem, state, count }) => `${problem} ${state} ${count}`);
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

const DISK: Reading = {
  id: "disk_low",
  kind: "disk_low",
  name: "Disk",
  state: "bad",
  text: "1 GiB free",
  at: null,
  organisation: null,
  value: null,
};
const bad = { state: "bad" } as const;
const ok = { state: "ok" } as const;

Deno.test("a problem of the machine raises one alert in each console, which two good checks resolve", async () => {
  using fixture = await setUp();
  await fixture.run([bad], [bad], [bad]);
  assertEquals(await fixture.alerts(), ["disk_low unread 1"]);
  assertEquals(await fixture.alerts("foundation"), ["disk_low unread 1"]);
  await fixture.run([ok], [bad], [ok]);
  assertEquals(await fixture.alerts(), ["disk_low unread 1"]);
  await fixture.run([ok]);
  assertEquals(await fixture.alerts(), ["disk_low done 1"]);
  assertEquals(await Array.fromAsync(fixture.kv.list({ prefix: ["conditions"] })), []);
});

Deno.test("values between the limits, and values that are not known, neither raise nor resolve", async () => {
  using fixture = await setUp();
  await fixture.run([{ state: "near" }], [{ state: "unknown" }]);
  assertEquals(await fixture.alerts(), []);
  await fixture.run([bad], [{ state: "near" }], [{ state: "unknown" }], [{ state: "near" }]);
  assertEquals(await fixture.alerts(), ["disk_low unread 1"]);
});

Deno.test("a service must be down in two successive checks", async () => {
  using fixture = await setUp();
  const service = { kind: "service_down", id: "service_down:mail" } as const;
  await fixture.run([{ ...service, ...bad }], [{ ...service, ...ok }], [{ ...service, ...bad }]);
  assertEquals(await fixture.alerts(), []);
  await fixture.run([{ ...service, ...bad }]);
  assertEquals(await fixture.alerts(), ["service_down:mail unread 1"]);
});

Deno.test("a queue of one organisation concerns only its console, and its end resolves the alert", async () => {
  using fixture = await setUp();
  const id = "messages_waiting:mail:sign_in:foundation";
  await fixture.run([{ kind: "messages_waiting", id, organisation: "foundation" }]);
  assertEquals([await fixture.alerts(), await fixture.alerts("foundation")], [[], [
    `${id} unread 1`,
  ]]);
  await fixture.run([], []);
  assertEquals(await fixture.alerts("foundation"), [`${id} done 1`]);
  assertEquals((await readHealth(fixture.kv))?.readings, []);
});
