import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { actAs, Actor, currentActor, openKv, ReadOnlyError } from "../kv/mod.ts";
import { spawnChild } from "../kv/testing/spawn_child.ts";
import { tempKv } from "../kv/testing/temp_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { createJobs, GRACE_MS, type Job, LeaseLostError } from "./jobs.ts";

const START = Date.parse("2026-03-01T20:00:00Z");
const at = (ms: number) => new Date(START + ms).toISOString();

/** Creates jobs on a store, with a clock and timers that the test controls. */
function setup(kv: Deno.Kv, clock = { now: START }) {
  const log: Record<string, unknown>[] = [];
  const timers = new Set<{ due: number; callback: () => void }>();
  const jobs = createJobs({
    kv,
    clock: () => clock.now,
    log: (line) => log.push(line),
    timer(ms, callback) {
      const timer = { due: clock.now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  });
  return {
    jobs,
    log,
    clock,
    timers,
    pass(ms: number) {
      clock.now += ms;
      for (const timer of timers) {
        if (timer.due <= clock.now && timers.delete(timer)) timer.callback();
      }
    },
  };
}

const job = (run: Job["run"], more: Partial<Job> = {}): Job => ({
  name: "work",
  everyMs: MINUTE_MS,
  maxMs: 30_000,
  run,
  ...more,
});

/** A job that runs until the test ends it. */
function gatedJob(more: Partial<Job> = {}) {
  const started = Promise.withResolvers<Parameters<Job["run"]>[0]>();
  const held = Promise.withResolvers<string>();
  return {
    started: started.promise,
    finish: held.resolve,
    job: job((context) => {
      started.resolve(context);
      return held.promise;
    }, more),
  };
}

Deno.test("a job runs once in each period, and its last run is recorded", async () => {
  using kv = await openKv(":memory:");
  const { jobs, pass, clock, timers } = setup(kv);
  const runs: number[] = [];
  jobs.register(job(() => {
    runs.push(clock.now - START);
    clock.now += 5;
    return Promise.resolve("3 sent");
  }));
  assertEquals(await jobs.states(), [
    { name: "work", title: "work", everyMs: MINUTE_MS, runningSince: null, lastRun: null },
  ]);
  await jobs.tick();
  await jobs.tick();
  pass(30_000);
  await jobs.tick();
  const [{ lastRun, runningSince }] = await jobs.states();
  assertEquals(runningSince, null);
  assertEquals(lastRun, { started: at(0), finished: at(5), outcome: "done", detail: "3 sent" });
  pass(30_000);
  await jobs.tick();
  assertEquals(runs, [0, 60_005]);
  assertEquals(timers.size, 0);
});

Deno.test("a job that is running does not run anywhere else, even if it is due", async () => {
  using kv = await openKv(":memory:");
  const [one, other] = [setup(kv), setup(kv)];
  const gated = gatedJob();
  one.jobs.register(gated.job);
  let others = 0;
  other.jobs.register(job(() => Promise.resolve(void others++)));
  const run = one.jobs.run("work");
  await gated.started;
  assertEquals(await other.jobs.run("work"), null);
  await other.jobs.tick();
  assertEquals(await one.jobs.run("work"), null);
  assertEquals((await other.jobs.states())[0].runningSince, at(0));
  gated.finish("");
  await run;
  assertEquals(others, 0);
  assert(await other.jobs.run("work"));
  assertEquals(others, 1);
});

Deno.test("of 20 concurrent attempts to run a job, only one runs it", async () => {
  using kv = await openKv(":memory:");
  let runs = 0;
  const all = Array.from({ length: 20 }, () => {
    const { jobs } = setup(kv);
    jobs.register(job(() => Promise.resolve(void runs++)));
    return jobs.tick();
  });
  await Promise.all(all);
  assertEquals(runs, 1);
});

Deno.test("a run whose lease has expired cannot overwrite the state of the next run", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const [one, other] = [setup(kv, clock), setup(kv, clock)];
  const gated = gatedJob();
  one.jobs.register(gated.job);
  const stale = one.jobs.run("work");
  const { save, signal } = await gated.started;
  await save("page 1");
  clock.now += 30_000 + GRACE_MS; // its timers do not fire, as in a process that was suspended

  const next = gatedJob();
  other.jobs.register(next.job);
  const run = other.jobs.run("work");
  assertEquals((await next.started).cursor, "page 1");
  await assertRejects(() => save("page 2"), LeaseLostError);
  assert(signal.aborted);
  gated.finish("late");
  await stale;
  const [{ lastRun, runningSince }] = await other.jobs.states();
  assertEquals(lastRun?.outcome, "interrupted");
  assertEquals(runningSince, at(30_000 + GRACE_MS));
  next.finish("new");
  await run;
  assertEquals((await other.jobs.states())[0].lastRun?.detail, "new");
});

Deno.test("a run that exceeds its time is stopped, and the next one continues from its cursor", async () => {
  using kv = await openKv(":memory:");
  const { jobs, pass } = setup(kv);
  const cursors: unknown[] = [];
  const saved = Promise.withResolvers<void>();
  jobs.register(job(async ({ cursor, save, signal }) => {
    cursors.push(cursor);
    if (cursors.length > 1) return "finished";
    await save({ page: 7 });
    saved.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return "page 7";
  }));
  const run = jobs.run("work");
  await saved.promise;
  pass(30_000);
  assertEquals(await run, {
    started: at(0),
    finished: at(30_000),
    outcome: "stopped",
    detail: "page 7",
  });
  assertEquals((await jobs.run("work"))?.outcome, "done");
  assertEquals((await jobs.run("work"))?.outcome, "done");
  assertEquals(cursors, [null, { page: 7 }, null]);
});

Deno.test("a run that ignores its signal is abandoned when its lease expires", async () => {
  using kv = await openKv(":memory:");
  const { jobs, pass, log } = setup(kv);
  const gated = gatedJob();
  jobs.register(gated.job);
  const run = jobs.run("work");
  await gated.started;
  pass(30_000);
  assertEquals(await jobs.run("work"), null);
  pass(GRACE_MS);
  assertEquals((await run)?.outcome, "failed");
  assertEquals(log.map(({ event, job }) => [event, job]), [["job_failed", "work"]]);
  gated.finish("");
});

Deno.test("if a run throws, the log contains the stack, and the state only the error's name", async () => {
  using kv = await openKv(":memory:");
  const { jobs, log, pass } = setup(kv);
  jobs.register(job(() => Promise.reject(new RangeError("ada@example.org"))));
  jobs.register(job(() => Promise.resolve("fine"), { name: "other" }));
  await jobs.tick();
  const [failed, other] = await jobs.states();
  assertEquals([failed.lastRun?.outcome, failed.lastRun?.detail], ["failed", "RangeError"]);
  assertEquals(other.lastRun?.outcome, "done");
  assertEquals(log.map(({ stack: _, ...line }) => line), [
    { level: "error", event: "job_failed", job: "work" },
  ]);
  const { value } = await kv.get(["jobs", "work"]);
  assertFalse(JSON.stringify(value).includes("ada@"));
  pass(MINUTE_MS);
  await jobs.tick();
  assertEquals(log.length, 2);
});

Deno.test("if a run fails because the disk is full, the log contains the reason instead of a stack", async () => {
  using kv = await openKv(":memory:");
  const { jobs, log } = setup(kv);
  jobs.register(job(() => Promise.reject(new ReadOnlyError("disk_full"))));
  await jobs.tick();
  assertEquals(log, [{ level: "error", event: "job_failed", job: "work", reason: "disk_full" }]);
});

Deno.test("stop() aborts the running jobs, waits for them, and starts no more", async () => {
  using kv = await openKv(":memory:");
  const { jobs } = setup(kv);
  const started = Promise.withResolvers<void>();
  jobs.register(job(async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }));
  jobs.start();
  await started.promise;
  await jobs.stop();
  assertEquals((await jobs.states())[0].lastRun?.outcome, "stopped");
  assertEquals(await jobs.run("work"), null);
});

Deno.test("with a cron, nothing runs before it, and a call runs what becomes due until all is done", async () => {
  using kv = await openKv(":memory:");
  const { jobs, clock } = setup(kv);
  const long = gatedJob({ name: "long" });
  const ran: string[] = [];
  jobs.register(long.job);
  jobs.register(job(() => Promise.resolve(void ran.push("often")), { name: "often", everyMs: 5 }));
  let run: (() => Promise<void>) | undefined;
  jobs.start((given) => void (run = given));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(ran, []);

  const minute = run!().then(() => ran.push("end"));
  await long.started;
  while (ran.length < 3) {
    clock.now += 5;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  long.finish("done");
  await minute;
  assertEquals([...new Set(ran)], ["often", "end"]);
  const count = ran.length;
  clock.now += 5;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(ran.length, count);
  await jobs.stop();
});

Deno.test("stop() waits for a tick that still reads what is due, and starts nothing that it finds", async () => {
  using kv = await openKv(":memory:");
  const { jobs } = setup(kv);
  let runs = 0;
  jobs.register(job(() => Promise.resolve(void runs++)));
  const read = Promise.withResolvers<void>();
  const { list } = kv;
  kv.list = ((...args: Parameters<typeof list>) => {
    const iterator = list.apply(kv, args);
    const next = iterator.next.bind(iterator);
    return Object.assign(iterator, { next: () => read.promise.then(next) });
  }) as typeof list;
  const steps: string[] = [];
  const ticked = jobs.tick().then(() => steps.push("tick"));
  const stopped = jobs.stop().then(() => steps.push("stop"));
  read.resolve();
  await Promise.all([ticked, stopped]);
  assertEquals([steps, runs], [["tick", "stop"], 0]);
});

Deno.test("two processes never run a job at the same time", async () => {
  await using store = await tempKv();
  const script = import.meta.resolve("./testing/child.ts");
  await using one = await spawnChild(script, store.path, "count", "60");
  await using other = await spawnChild(script, store.path, "count", "60");
  await Promise.all([one.go(), other.go()]);
  assertEquals(await Promise.all([one.next(), other.next()]), [60, 60]);
  assertEquals((await store.kv.get<number>(["counted"])).value, 120);
});

Deno.test("the job of a killed process is interrupted, and another process continues from its cursor", async () => {
  await using store = await tempKv();
  {
    const script = import.meta.resolve("./testing/child.ts");
    await using child = await spawnChild(script, store.path, "save", "page 3");
    await child.go();
    assertEquals(await child.next(), "saved");
    child.kill();
  }
  const { jobs, clock } = setup(store.kv, { now: Date.now() });
  const cursors: unknown[] = [];
  jobs.register(job(({ cursor }) => Promise.resolve(void cursors.push(cursor)), { name: "save" }));
  assertEquals(await jobs.run("save"), null, "its lease is still valid");
  clock.now += 60_000 + GRACE_MS;
  assertEquals((await jobs.states())[0].lastRun?.outcome, "interrupted");
  await jobs.tick();
  assertEquals(cursors, ["page 3"]);
  assertEquals((await jobs.states())[0].lastRun?.outcome, "done");
});

Deno.test("after the clock was set back by a day, jobs run at their usual times, even if one died", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const clock = { now: START + DAY_MS };
  const ahead = setup(kv, clock);
  ahead.jobs.register(job(() => Promise.resolve(), { name: "done", everyMs: DAY_MS }));
  await ahead.jobs.tick();
  await kv.set(["jobs", "died"], {
    lease: { owner: "killed", started: at(DAY_MS), expires_at: at(DAY_MS + 30_000 + GRACE_MS) },
    last_run: null,
    cursor: null,
  });
  clock.now = START;
  const runs: string[] = [];
  const { jobs } = setup(kv, clock);
  for (const name of ["done", "died"]) {
    jobs.register(job(() => Promise.resolve(void runs.push(name)), { name, everyMs: DAY_MS }));
  }
  await jobs.tick();
  await jobs.tick();
  assertEquals(runs.sort(), ["died", "done"]);
});

for (const [ahead, runs] of [[MINUTE_MS, 0], [MINUTE_MS + 1, 1]]) {
  Deno.test(`a job whose last run began ${ahead} ms later than now runs ${runs} times`, async () => {
    using kv = await openKv(":memory:");
    const { jobs, clock } = setup(kv);
    const started = new Date(clock.now + ahead).toISOString();
    const last_run = { started, finished: started, outcome: "done", detail: null };
    await kv.set(["jobs", "daily"], { lease: null, last_run, cursor: null });
    let count = 0;
    jobs.register(job(() => Promise.resolve(void count++), { name: "daily", everyMs: DAY_MS }));
    await jobs.tick();
    assertEquals(count, runs);
  });
}

Deno.test("a daily job runs at its time, whenever the previous run was", async () => {
  using kv = await openKv(":memory:");
  const { jobs, clock } = setup(kv); // at 20:00
  const runs: string[] = [];
  const run = () => Promise.resolve(void runs.push(new Date(clock.now).toISOString().slice(8, 16)));
  jobs.register(job(run, { everyMs: DAY_MS, dailyAtMs: 2 * HOUR_MS }));
  for (let hours = 0; hours < 54; hours++) {
    await jobs.tick();
    clock.now += HOUR_MS;
  }
  assertEquals(runs, ["01T20:00", "02T02:00", "03T02:00"]);
});

Deno.test("a run that is out of time continues after resumeMs, and then not before the next period", async () => {
  using kv = await openKv(":memory:");
  const { jobs, clock, pass } = setup(kv);
  const cursors: unknown[] = [];
  jobs.register(job(async ({ cursor, save }) => {
    cursors.push(cursor);
    if (cursors.length > 1) return;
    await save("half");
    pass(30_000);
  }, { everyMs: DAY_MS, resumeMs: MINUTE_MS }));
  await jobs.tick();
  clock.now += MINUTE_MS - 1;
  await jobs.tick();
  assertEquals(cursors, [null]);
  clock.now += 1;
  await jobs.tick();
  assertEquals(cursors, [null, "half"]);
  clock.now += HOUR_MS;
  await jobs.tick();
  assertEquals(cursors.length, 2);
});

Deno.test("a run whose process died is continued by another one after resumeMs", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const [dead, other] = [setup(kv, clock), setup(kv, clock)];
  const daily = { everyMs: DAY_MS, resumeMs: MINUTE_MS };
  const gated = gatedJob(daily);
  dead.jobs.register(gated.job);
  const run = dead.jobs.run("work");
  await (await gated.started).save("half");
  const cursors: unknown[] = [];
  other.jobs.register(job(({ cursor }) => Promise.resolve(void cursors.push(cursor)), daily));
  clock.now += MINUTE_MS - 1;
  await other.jobs.tick();
  assertEquals(cursors, []);
  clock.now += 1;
  await other.jobs.tick();
  assertEquals(cursors, ["half"]);
  gated.finish("");
  await run;
});

Deno.test("two processes divide the parts of a job, and its state is that of all parts", async () => {
  using kv = await openKv(":memory:");
  const clock = { now: START };
  const started = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const done: string[] = [];
  const divided = (process: string, wait: (part: number) => Promise<void>): Job =>
    job(async ({ part }) => {
      await wait(part!);
      done.push(`${process}${part}`);
      return `${part! + 10} checked`;
    }, { parts: 4 });
  const [one, two] = [setup(kv, clock), setup(kv, clock)];
  one.jobs.register(divided("a", (part) => {
    started.resolve();
    return part === 0 ? held.promise : Promise.resolve();
  }));
  two.jobs.register(divided("b", () => Promise.resolve()));
  const running = one.jobs.tick();
  await started.promise;
  await two.jobs.tick();
  assertEquals(done, ["b1", "b2", "b3"]);
  assertEquals((await two.jobs.states())[0].runningSince, at(0));
  held.resolve();
  await running;
  assertEquals(done, ["b1", "b2", "b3", "a0"], "no part is done twice");
  const [{ runningSince, lastRun }] = await two.jobs.states();
  assertEquals([runningSince, lastRun?.outcome, lastRun?.detail], [null, "done", "46 checked"]);
  assertEquals((await two.jobs.run("work"))?.detail, "46 checked");
});

Deno.test("a run that a request asks for belongs to the site", async () => {
  using kv = await openKv(":memory:");
  const { jobs, pass } = setup(kv);
  let ran = Promise.withResolvers<unknown>();
  jobs.register(job(() => {
    ran.resolve(currentActor());
    return Promise.resolve("done");
  }));
  await jobs.run("work");
  ran = Promise.withResolvers();
  jobs.start();
  actAs(new Actor(undefined), () => {
    jobs.soon("work");
    pass(2 * 1000);
  });
  assertEquals(await ran.promise, undefined);
  await jobs.stop();
});

Deno.test("40 jobs of which one is due cost one list, and the reading of that one", async () => {
  await using store = await tempKv();
  const reads: string[] = [];
  const counted = new Proxy(store.kv, {
    get(kv, name) {
      const value = Reflect.get(kv, name, kv);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (/^(get|list)/.test(String(name))) reads.push(String(name));
        return value.apply(kv, args);
      };
    },
  });
  const { jobs, clock } = setup(counted);
  for (let i = 0; i < 40; i++) {
    const everyMs = i === 0 ? MINUTE_MS : HOUR_MS;
    jobs.register(job(() => Promise.resolve(), { name: `job ${i}`, everyMs }));
  }
  await jobs.tick();
  reads.length = 0;
  clock.now += MINUTE_MS;
  await jobs.tick();
  assertEquals(reads, ["list", "get"]);
  reads.length = 0;
  assertEquals([(await jobs.states()).length, reads], [40, ["list"]]);
});
