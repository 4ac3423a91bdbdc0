/** The scheduler of background jobs: runs each in one process at a time, and continues unfinished runs. */
import { z } from "zod";
import {
  ALWAYS,
  asSite,
  defineTable,
  EXPIRING,
  type Expiring,
  isLive,
  isoAfter,
  isUnusable,
  ReadOnlyError,
} from "../kv/mod.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";

/** Work that runs in the background, in one process at a time. */
export interface Job {
  /** Must not change, because it is the key of the job's state. */
  name: string;
  /** A description for people. Default: its name. */
  title?: string;
  everyMs: number;
  /** The time of a daily job, in milliseconds after midnight UTC. */
  dailyAtMs?: number;
  /** The delay after which an unfinished run continues. Default: the usual period. */
  resumeMs?: number;
  /** How long one run may take. After that its signal aborts, and the next run continues. */
  maxMs: number;
  /**
   * The number of parts of long work, such as ranges of keys. Each has its own lease, cursor and outcome. A
   * process runs one part after another, so several processes divide the parts among them. Default: 1.
   */
  parts?: number;
  /**
   * Does the work. It must end soon after its signal aborts.
   *
   * @returns a summary for the console: counts only, no personal data
   */
  run(context: JobContext): Promise<string | void>;
}

/** The arguments of one run of a job. */
export interface JobContext {
  /** The part to do, from 0. Default: all of them. */
  part?: number;
  /** The value that the previous run saved if it did not finish; otherwise null. */
  cursor: unknown;
  /** Aborts when the time is up, the process stops, or the lease is lost. */
  signal: AbortSignal;
  /**
   * Saves the progress of the run, so that the next run can continue from there. Calls must not
   * overlap.
   *
   * @throws {LeaseLostError} if the lease has expired and another run has started
   */
  save(cursor: unknown): Promise<void>;
}

/** The worst one is the first. */
const OUTCOMES = ["failed", "interrupted", "stopped", "done"] as const;

/** The outcome of a run. Times are ISO 8601 in UTC. */
const lastRun = z.strictObject({
  started: z.iso.datetime(),
  /** Null if the process died. */
  finished: z.iso.datetime().nullable(),
  /** `stopped`: out of time, or the process was stopped; `interrupted`: the process died. */
  outcome: z.enum(OUTCOMES),
  /** The run's summary, or the name of the error. */
  detail: z.string().nullable(),
});

export type LastRun = z.infer<typeof lastRun>;

/** A job as the console shows it. */
export interface JobState {
  name: string;
  title: string;
  everyMs: number;
  /** When the current run started, in any process; null if none is in progress. */
  runningSince: string | null;
  lastRun: LastRun | null;
}

/** The jobs of a process. */
export interface Jobs {
  register(job: Job): void;
  /** Runs every job that is due and not running in any process. Resolves when they have ended. */
  tick(): Promise<void>;
  /**
   * Runs a job now, whether or not it is due. Returns null if it is already running in any process.
   */
  run(name: string): Promise<LastRun | null>;
  /**
   * Runs a job soon, because there is work for it. Calls until then are one. If the job is running in any
   * process, it runs again afterwards. Without `start`, this has no effect.
   */
  soon(name: string): void;
  /**
   * Starts running jobs when they are due.
   *
   * @param everyMinute calls a function once a minute, where timers end with the process because nobody visits
   * the site. Default: timers of this process
   */
  start(everyMinute?: (run: () => Promise<void>) => void): void;
  /** Aborts running jobs, and resolves when they have ended. */
  stop(): Promise<void>;
  states(): Promise<JobState[]>;
}

export interface JobsOptions {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  /** Returns whether jobs must not start, even if they are due. */
  paused?: () => boolean;
  /** Schedules a callback and returns a function that cancels it; replaced in tests. */
  timer?: (ms: number, callback: () => void) => () => void;
}

/** Thrown if another run has taken the lease, so that this one must not write the state. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** The state of a job. `versionstamp` checks make the owner of the lease the only writer. */
const jobRow = z.strictObject({
  /** The run in progress. If the lease has expired, its process died. */
  lease: z.strictObject({
    owner: z.string(),
    started: z.iso.datetime(),
    ...EXPIRING,
  }).nullable(),
  last_run: lastRun.nullable(),
  cursor: z.unknown(),
});

type JobRow = z.infer<typeof jobRow>;

/** The jobs: who runs each one, its last run, and where that stopped. */
export const jobTable = defineTable({
  prefix: "jobs",
  value: jobRow,
  key: ["name"],
  owner: "nobody",
  lifetime: ALWAYS,
  per: "job",
});

/** How long a run has to end after its signal has aborted. */
export const GRACE_MS = 10 * SECOND_MS;

/** How long `soon` waits for more work. */
const SOON_MS = 2 * SECOND_MS;

/** How much the clocks of two processes may differ. */
const MAX_SKEW_MS = MINUTE_MS;

const stopping = () => new DOMException("The process is stopping", "AbortError");

/**
 * Creates the jobs of a process. Nothing runs before `tick`, `run` or `start`.
 *
 * A run holds a lease in the store, so no two processes run the same job at the same time. If a
 * process dies, its lease expires and the next run continues from the saved cursor.
 */
export function createJobs(options: JobsOptions): Jobs {
  const { kv, clock, log, paused = () => false, timer = unrefTimer } = options;
  const registered = new Map<string, Part[]>();
  const running = new Set<AbortController>();
  const attempts = new Set<Promise<unknown>>();
  const cancels = new Map<string, () => void>();
  let stopped = false;
  let started = false;
  let stopTimer = () => {};

  /**
   * Runs the parts of a job that may run now, one after another. `stop` waits until they end.
   *
   * @returns the outcome of the parts that ran; null if there was none
   */
  function attempt(parts: readonly Part[], force: boolean): Promise<LastRun | null> {
    const run = runParts(parts, force).finally(() => attempts.delete(run));
    attempts.add(run);
    return run;
  }

  async function runParts(parts: readonly Part[], force: boolean): Promise<LastRun | null> {
    const runs: LastRun[] = [];
    for (const part of parts) {
      const run = await claimAndRun(part, force);
      if (run !== null) runs.push(run);
    }
    return lastRunOf(runs);
  }

  async function claimAndRun(job: Part, force: boolean): Promise<LastRun | null> {
    const claimed = stopped ? null : await takeLease(options, job, force);
    if (claimed === null) return null;
    const controller = new AbortController();
    running.add(controller);
    if (stopped) controller.abort(stopping());
    return await runJob(options, job, claimed, controller)
      .finally(() => running.delete(controller));
  }

  /** Returns the jobs of which a part may run now. One list shows it, because most are not due. */
  async function dueJobs(): Promise<(readonly Part[])[]> {
    const rows = await readRows(kv);
    const now = clock();
    return [...registered.values()].filter((parts) =>
      parts.some((part) => isDue(part, rows.get(part.key) ?? NEVER_RUN, now))
    );
  }

  /** Runs what is due. `stop` waits until it ends, also while it still looks for what is due. */
  function tick(): Promise<void> {
    const step = tickNow().finally(() => attempts.delete(step));
    attempts.add(step);
    return step;
  }

  async function tickNow(): Promise<void> {
    if (paused()) return;
    const refused: string[] = [];
    const due = await dueJobs().catch((error) => {
      if (!isUnusable(error)) throw error;
      refused.push(...registered.keys());
      return [];
    });
    await Promise.all(
      due.map((parts) =>
        attempt(parts, false).catch((error) => {
          if (isUnusable(error)) refused.push(parts[0].name);
          else logFailure(log, parts[0], error);
        })
      ),
    );
    if (refused.length === 0) return;
    const reason = "store_unavailable"; // in one line, because all of them fail together
    log({ level: "error", event: "job_failed", job: refused.join(", "), reason });
  }

  function soon(name: string): void {
    if (stopped || !started || cancels.has(name)) return;
    const run = async () => {
      cancels.delete(name);
      const parts = registered.get(name);
      if (parts === undefined || paused()) return;
      const last = await attempt(parts, true).catch((error) => logFailure(log, parts[0], error));
      if (last === null) soon(name);
    };
    // The run outlives the request that asks for it.
    cancels.set(name, timer(SOON_MS, () => void asSite(run).catch(reportError)));
  }

  /** Starts what is due as often as the most frequent job can be. Returns what ends this. */
  function tickOften(): () => void {
    const everyMs = Math.min(...Array.from(registered.values(), ([{ everyMs }]) => everyMs));
    const interval = setInterval(() => void tick().catch(reportError), everyMs);
    Deno.unrefTimer(interval);
    return () => clearInterval(interval);
  }

  /** Runs what is due, and what becomes due while anything is running. */
  async function runDue(): Promise<void> {
    const stopTicks = tickOften();
    try {
      await tick();
      while (attempts.size > 0) await Promise.allSettled(attempts);
    } finally {
      stopTicks();
    }
  }

  return {
    tick,
    soon,
    register: (job) => void registered.set(job.name, partsOf(job)),
    run(name) {
      const parts = registered.get(name);
      if (parts === undefined) throw new TypeError(`There is no job ${name}.`);
      return attempt(parts, true);
    },
    start(everyMinute) {
      started = true;
      if (everyMinute !== undefined) return everyMinute(runDue);
      stopTimer = tickOften();
      void tick().catch(reportError);
    },
    async stop() {
      stopped = true;
      stopTimer();
      for (const cancel of cancels.values()) cancel();
      for (const controller of running) controller.abort(stopping());
      await Promise.allSettled(attempts);
    },
    async states() {
      const rows = await readRows(kv);
      return Array.from(registered.values(), (parts) => stateOf(rows, clock(), parts));
    },
  };
}

/** A part of a job, with the key of its state. */
interface Part extends Job {
  part: number;
  key: string;
}

const partsOf = (job: Job): Part[] =>
  Array.from({ length: job.parts ?? 1 }, (_, part) => ({
    ...job,
    part,
    key: job.parts === undefined ? job.name : `${job.name}/${part}`,
  }));

/** Returns what the runs of several parts amount to; null if there are none. */
function lastRunOf(runs: readonly LastRun[]): LastRun | null {
  if (runs.length < 2) return runs[0] ?? null;
  const ends = runs.map(({ finished }) => finished);
  return {
    started: runs.map(({ started }) => started).sort()[0],
    finished: ends.includes(null) ? null : ends.sort().at(-1)!,
    outcome: OUTCOMES.find((each) => runs.some(({ outcome }) => outcome === each))!,
    detail: sumDetails(runs.map(({ detail }) => detail ?? "")),
  };
}

/** Adds up the numbers in summaries such as `3 checked, 0 not valid`. The longest one has the words. */
function sumDetails(details: readonly string[]): string {
  const [longest] = details.toSorted((a, b) => b.length - a.length);
  const numbers = details.map((detail) => detail.match(/\d+/g)?.map(Number) ?? []);
  let i = 0;
  return longest.replace(/\d+/g, () => {
    const sum = numbers.reduce((sum, each) => sum + (each[i] ?? 0), 0);
    i++;
    return String(sum);
  });
}

/** A job whose lease this process has. */
interface Claimed {
  row: JobRow & { lease: NonNullable<JobRow["lease"]> };
  versionstamp: string;
}

/**
 * Takes the lease. Returns null if the job is running or not due, or if another process took it
 * first.
 */
async function takeLease(
  { kv, clock }: JobsOptions,
  job: Part,
  force: boolean,
): Promise<Claimed | null> {
  const entry = await jobTable.get(kv, job.key);
  const now = clock();
  const stored = entry.value ?? NEVER_RUN;
  if (isRunning(job, stored, now) || !force && !isDue(job, stored, now)) return null;
  const row = {
    lease: {
      owner: crypto.randomUUID(),
      started: new Date(now).toISOString(),
      expires_at: isoAfter(now, job.maxMs + GRACE_MS),
    },
    last_run: lastRunIn(stored),
    cursor: stored.cursor,
  };
  const commit = kv.atomic();
  jobTable.replace(commit, entry, row);
  const taken = await commit.commit();
  return taken.ok ? { row, versionstamp: taken.versionstamp } : null;
}

const NEVER_RUN: JobRow = { lease: null, last_run: null, cursor: null };

/** Runs a job, and stores its outcome while it has the lease. */
async function runJob(
  { kv, clock, log, timer = unrefTimer }: JobsOptions,
  job: Part,
  claimed: Claimed,
  controller: AbortController,
): Promise<LastRun> {
  const key = jobTable.key(job.key);
  const { row } = claimed;
  const { signal } = controller;

  async function write(changed: JobRow): Promise<void> {
    const { versionstamp } = claimed;
    const written = await kv.atomic().check({ key, versionstamp }).set(key, changed).commit();
    if (!written.ok) throw new LeaseLostError(`Another run of ${job.name} has started.`);
    claimed.versionstamp = written.versionstamp;
  }

  async function save(cursor: unknown): Promise<void> {
    try {
      await write({ ...row, cursor });
      row.cursor = cursor;
    } catch (error) {
      controller.abort(error);
      throw error;
    }
  }

  const late = Promise.withResolvers<never>();
  const cancels = [
    timer(job.maxMs, () => controller.abort(new DOMException("Out of time", "TimeoutError"))),
    timer(job.maxMs + GRACE_MS, () => late.reject(new LeaseLostError(`${job.name} hangs.`))),
  ];
  let outcome: LastRun["outcome"] = "done";
  let detail: string | null;
  try {
    const work = job.run({ part: job.part, cursor: row.cursor, signal, save });
    detail = await Promise.race([work, late.promise]) ?? null;
    if (signal.aborted) outcome = "stopped";
  } catch (error) {
    // A run may throw because its signal was aborted, which is not a failure.
    outcome = signal.aborted && !(error instanceof LeaseLostError) ? "stopped" : "failed";
    detail = error instanceof Error ? error.name : "unexpected";
    if (outcome === "failed") logFailure(log, job, error);
  } finally {
    for (const cancel of cancels) cancel();
  }
  const finished = new Date(clock()).toISOString();
  const lastRun = { started: row.lease.started, finished, outcome, detail };
  const cursor = outcome === "done" ? null : row.cursor;
  await write({ lease: null, last_run: lastRun, cursor }).catch((error) => {
    if (detail !== "LeaseLostError") logFailure(log, job, error);
  });
  return lastRun;
}

/** Reads the rows of all jobs by their keys, in one list. */
const readRows = async (kv: Deno.Kv): Promise<JobRows> =>
  new Map(
    (await Array.fromAsync(jobTable.list(kv, []))).map(({ key, value }) => [String(key[1]), value]),
  );

type JobRows = ReadonlyMap<string, JobRow>;

function stateOf(stored: JobRows, now: number, parts: readonly Part[]): JobState {
  const [{ name, title = name, everyMs }] = parts;
  const rows = parts.map(({ key }) => stored.get(key) ?? NEVER_RUN);
  const running = rows.flatMap(({ lease }) => lease !== null && isLive(lease, now) ? [lease] : []);
  const runs = rows.flatMap(({ lease, last_run }) =>
    lease === null || isLive(lease, now) ? last_run ?? [] : [interrupted(lease.started)]
  );
  return {
    name,
    title,
    everyMs,
    runningSince: running.map(({ started }) => started).sort()[0] ?? null,
    lastRun: lastRunOf(runs),
  };
}

function logFailure(log: JobsOptions["log"], { name }: Job, error: unknown): void {
  // While the store cannot be used, every job fails, and the stack does not help to find the cause.
  const cause = error instanceof ReadOnlyError
    ? { reason: error.reason }
    : isUnusable(error)
    ? { reason: error.code }
    : { stack: error instanceof Error ? error.stack : String(error) };
  log({ level: "error", event: "job_failed", job: name, ...cause });
}

const interrupted = (started: string): LastRun => ({
  started,
  finished: null,
  outcome: "interrupted",
  detail: null,
});

/** A run that started later than now started before the clock was set back. */
const isEarly = (job: Job, lastRun: LastRun, now: number): boolean =>
  now < dueAt(job, lastRun) && Date.parse(lastRun.started) <= now + MAX_SKEW_MS;

const isRunning = (job: Job, { lease }: JobRow, now: number): boolean =>
  lease !== null && isHeld(lease, job, now);

/** Returns the run before; if its lease is still there, its process died. */
const lastRunIn = ({ lease, last_run }: JobRow): LastRun | null =>
  lease === null ? last_run : interrupted(lease.started);

/** Returns whether a job may start a run that is due. */
function isDue(job: Job, row: JobRow, now: number): boolean {
  const lastRun = lastRunIn(row);
  return !isRunning(job, row, now) && (lastRun === null || !isEarly(job, lastRun, now));
}

/** A lease that ends later than one taken now was taken before the clock was set back. */
const isHeld = (lease: Expiring, { maxMs }: Job, now: number): boolean =>
  isLive(lease, now) && Date.parse(lease.expires_at) <= now + maxMs + GRACE_MS + MAX_SKEW_MS;

/** Returns when a job is due again after a run. */
function dueAt(job: Job, { started, finished, outcome }: LastRun): number {
  const { everyMs, dailyAtMs, resumeMs } = job;
  if (resumeMs !== undefined && (outcome === "stopped" || outcome === "interrupted")) {
    return Date.parse(finished ?? started) + resumeMs;
  }
  // Slightly before the end of the period, because timers are not exact.
  if (dailyAtMs === undefined) return Date.parse(started) + everyMs * 0.9;
  const days = Math.floor((Date.parse(started) - dailyAtMs) / DAY_MS);
  return (days + 1) * DAY_MS + dailyAtMs;
}

/** A timer that does not keep the process alive. */
function unrefTimer(ms: number, callback: () => void): () => void {
  const id = setTimeout(callback, ms);
  Deno.unrefTimer(id);
  return () => clearTimeout(id);
}
