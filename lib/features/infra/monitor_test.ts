import { assert, assertEquals } from "@std/assert";
import {
  createMonitor,
  FRESH_MS,
  type Monitor,
  type Probe,
  PROBE_LIMIT_MS,
  RETRY_MS,
  SLOW_MS,
  WAIT_MS,
} from "./monitor.ts";

/** A monitor whose time the test controls. */
function monitorOf(probes: Record<string, Probe>) {
  const time = { now: Date.parse("2026-03-01T20:00:00.000Z") };
  const timers = new Set<{ ms: number; run: () => void }>();
  const monitor = createMonitor({
    probes,
    clock: () => time.now,
    elapsed: () => time.now,
    schedule(run, ms) {
      const timer = { ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  });
  return {
    monitor,
    time,
    timers: () => [...timers].map(({ ms }) => ms),
    /** Lets a time pass, with the timers that end in it. */
    pass(ms: number) {
      time.now += ms;
      for (const timer of [...timers].filter((timer) => timer.ms <= ms)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

/** A probe that ends when the test says so. */
function heldProbe() {
  const runs: { signal: AbortSignal; end: (problem?: string) => void }[] = [];
  const probe: Probe = (signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let found: { problem: string } | { detail?: string } = {};
    runs.push({
      signal,
      end(problem) {
        if (problem !== undefined) found = { problem };
        resolve();
      },
    });
    return promise.then(() => found);
  };
  return { probe, runs };
}

/** Lets settled promises take effect. */
const settle = () => new Promise((done) => setTimeout(done));

const stateOf = async (monitor: Monitor, name: string) => (await monitor.read()).get(name)?.state;

Deno.test("a probe that ends in time is up, with its latency and detail", async () => {
  const { monitor, timers, time } = monitorOf({
    store: () => Promise.resolve({ detail: "Fine." }),
  });
  assertEquals(Object.fromEntries(await monitor.read()), {
    store: { state: "up", at: time.now, latencyMs: 0, detail: "Fine." },
  });
  assertEquals(timers(), [], "no timer is left");
});

Deno.test("a probe that ends late is slow, and one that finds a problem or throws is down", async () => {
  const slow = heldProbe();
  const { monitor, pass, timers } = monitorOf({
    slow: slow.probe,
    refused: () => Promise.resolve({ problem: "Refused." }),
    thrown: () => Promise.reject(new Error("https://private.example refused")),
  });
  const reading = monitor.read();
  pass(SLOW_MS + 1);
  slow.runs[0].end();
  await reading;
  const checks = await monitor.read();
  assertEquals(checks.get("slow")?.state, "slow");
  assertEquals(checks.get("refused")?.detail, "Refused.");
  const { state, detail } = checks.get("thrown")!;
  assertEquals([state, detail], ["down", "The check failed."]);
  assertEquals(timers(), []);
});

Deno.test("20 services that hang delay a reader by one wait, and are down after the limit", async () => {
  const hanging = Array.from({ length: 20 }, heldProbe);
  const { monitor, pass, timers } = monitorOf({
    fine: () => Promise.resolve({}),
    ...Object.fromEntries(hanging.map(({ probe }, i) => [`hanging ${i}`, probe])),
  });
  const reading = monitor.read();
  assert(hanging.every(({ runs }) => runs.length === 1), "all probes run at the same time");
  await settle();
  pass(WAIT_MS);
  assertEquals([...(await reading).keys()], ["fine"]);
  assertEquals(timers(), Array(20).fill(PROBE_LIMIT_MS), "only the limits of the probes are left");

  pass(PROBE_LIMIT_MS);
  await settle();
  assert(hanging.every(({ runs }) => runs[0].signal.aborted));
  const checks = await monitor.read();
  for (let i = 0; i < 20; i++) {
    const { state, detail } = checks.get(`hanging ${i}`)!;
    assertEquals([state, detail], ["down", "No response within 2 seconds."]);
  }
  assertEquals(timers(), []);
});

Deno.test("results are used for 30 seconds", async () => {
  let runs = 0;
  const { monitor, time } = monitorOf({ store: () => Promise.resolve((runs++, {})) });
  await monitor.read();
  const { now } = time;
  time.now += FRESH_MS - 1;
  assertEquals((await monitor.read()).get("store")!.at, now);
  assertEquals(runs, 1);
  time.now += 1;
  assertEquals((await monitor.read()).get("store")!.at, time.now);
  assertEquals(runs, 2);
});

Deno.test("concurrent readers share one probe, and so do readers during a run that outlives its limit", async () => {
  const held = heldProbe();
  const { monitor, pass, time } = monitorOf({ store: held.probe });
  const readings = [monitor.read(), monitor.read(), monitor.read()];
  assertEquals(held.runs.length, 1);
  held.runs[0].end();
  for (const reading of readings) assertEquals((await reading).get("store")?.state, "up");

  pass(FRESH_MS);
  const late = monitor.read();
  pass(PROBE_LIMIT_MS);
  await late;
  await settle();
  assertEquals(await stateOf(monitor, "store"), "down");
  time.now += FRESH_MS;
  const again = monitor.read();
  assertEquals(held.runs.length, 2, "the probe that hangs is not started again");
  held.runs[1].end();
  await again;
  await settle();
  assertEquals(await stateOf(monitor, "store"), "up");
});

Deno.test("a service that was down is not waited for, and its last state is shown", async () => {
  const held = heldProbe();
  const { monitor, time, timers } = monitorOf({ bank: held.probe });
  const first = monitor.read();
  held.runs[0].end("Refused.");
  const { at } = (await first).get("bank")!;
  time.now += FRESH_MS;
  const checks = await monitor.read(); // no timer ends and no probe does
  assertEquals([checks.get("bank")!.state, checks.get("bank")!.at], ["down", at]);
  assertEquals(timers(), [PROBE_LIMIT_MS]);
  held.runs[1].end();
  await settle();
  assertEquals(await stateOf(monitor, "bank"), "up");
});

Deno.test("closing aborts the running probes, and a later reader starts none", async () => {
  const held = heldProbe();
  const { monitor, timers } = monitorOf({ store: held.probe });
  const reading = monitor.read();
  await monitor.close();
  assert(held.runs[0].signal.aborted);
  assertEquals((await reading).size, 0);
  assertEquals(timers(), []);
  assertEquals((await monitor.read()).size, 0);
  assertEquals(held.runs.length, 1);
});

Deno.test("a first failure is checked again after 3 seconds, and a second one after 30", async () => {
  let runs = 0;
  let problem: string | undefined = "Busy.";
  const { monitor, time } = monitorOf({
    bank: () => Promise.resolve((runs++, problem === undefined ? {} : { problem })),
  });
  await monitor.read();
  time.now += RETRY_MS - 1;
  assertEquals([await stateOf(monitor, "bank"), runs], ["down", 1]);
  time.now += 1;
  assertEquals([await stateOf(monitor, "bank"), runs], ["down", 2]);
  await settle();
  time.now += FRESH_MS - 1;
  assertEquals([await stateOf(monitor, "bank"), runs], ["down", 2]);
  time.now += 1;
  problem = undefined;
  await monitor.read();
  await settle();
  assertEquals([await stateOf(monitor, "bank"), runs], ["up", 3]);
});
