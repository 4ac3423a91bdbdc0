/** Runs the probes of services, with time limits, and keeps their last results for a short time. */
import { type Schedule, scheduleTimeout } from "../../base/schedule.ts";
import { asSite } from "../../platform/kv/mod.ts";
import { SECOND_MS } from "../../base/time.ts";

/** The result of a probe. Its texts are shown, so they must not contain addresses or secrets. */
export type Finding = { problem: string } | { problem?: undefined; detail?: string };

/** Checks one service. Must stop when the signal aborts, or its result is ignored. */
export type Probe = (signal: AbortSignal) => Promise<Finding>;

/** The last result of a probe. */
export interface Check {
  state: "up" | "slow" | "down";
  /** When the probe ended, in milliseconds since 1970. */
  at: number;
  latencyMs: number;
  detail?: string;
  /** Set if the probe did not end in time. */
  timedOut?: true;
}

/** A probe that takes longer has failed. */
export const PROBE_LIMIT_MS = 2 * SECOND_MS;
/** A service that takes longer to respond is slow. */
export const SLOW_MS = SECOND_MS;
/** How long a result is used. */
export const FRESH_MS = 30 * SECOND_MS;
/** How long the first failure after a success is used. The service may have been busy for a moment. */
export const RETRY_MS = 3 * SECOND_MS;
/** How long a reader waits for probes that are running. */
export const WAIT_MS = SECOND_MS / 2;

export interface MonitorOptions {
  probes: Readonly<Record<string, Probe>>;
  clock: () => number;
  /** Returns a time in milliseconds that only increases, for latencies. */
  elapsed?: () => number;
  schedule?: Schedule;
}

/** The last results of the probes, by their names. A probe that has never ended has no result. */
export type Checks = ReadonlyMap<string, Check>;

export interface Monitor {
  /**
   * Starts the probes whose results are older than {@link FRESH_MS}, or {@link RETRY_MS} after a first
   * failure, and returns the last results. Waits at most {@link WAIT_MS} for probes that are running,
   * and never for a service that was down the last time. Concurrent readers share one run of a probe.
   */
  read(): Promise<Checks>;
  /** Like {@link Monitor.read}, but waits until all probes have ended. */
  readAll(): Promise<Checks>;
  /** Aborts the running probes. Nothing is probed afterwards. */
  close(): Promise<void>;
}

interface Entry {
  probe: Probe;
  last?: Check;
  /** The number of failures since the last success. */
  failures: number;
  /** The current check, which ends after {@link PROBE_LIMIT_MS} at the latest. */
  check?: Promise<void>;
  /** The current run. It can outlive its check if the probe cannot be aborted. */
  run?: Promise<Finding>;
}

/** Creates a monitor. Nothing is probed before the first read. */
export function createMonitor(
  { probes, clock, elapsed = () => performance.now(), schedule = scheduleTimeout }: MonitorOptions,
): Monitor {
  const entries = new Map<string, Entry>(
    Object.entries(probes).map(([name, probe]) => [name, { probe, failures: 0 }]),
  );
  const running = new Set<AbortController>();
  let closed = false;

  async function check(entry: Entry): Promise<void> {
    const started = elapsed();
    const limit = new AbortController();
    const { signal } = limit;
    const cancel = schedule(() => limit.abort(), PROBE_LIMIT_MS);
    const stopped = Promise.withResolvers<Finding>();
    signal.addEventListener("abort", () => stopped.resolve(TIMED_OUT), { once: true });
    running.add(limit);
    entry.run ??= run(entry, signal);
    const found = await Promise.race([entry.run, stopped.promise]);
    running.delete(limit);
    cancel();
    if (closed) return;
    const latencyMs = Math.round(elapsed() - started);
    entry.last = { ...stateOf(found, latencyMs), at: clock(), latencyMs };
    entry.failures = entry.last.state === "down" ? entry.failures + 1 : 0;
  }

  const isDue = ({ last, check, failures }: Entry, now: number) =>
    check === undefined &&
    (last === undefined || now - last.at >= (failures === 1 ? RETRY_MS : FRESH_MS));

  /** Starts the probes that are due. */
  function start(): void {
    const now = clock();
    for (const entry of closed ? [] : entries.values()) {
      if (!isDue(entry, now)) continue;
      entry.check = asSite(() => check(entry)).finally(() => entry.check = undefined);
    }
  }

  const results = (): Checks =>
    new Map([...entries].flatMap(([name, { last }]) => last === undefined ? [] : [[name, last]]));

  return {
    async read() {
      start();
      const awaited = [...entries.values()].filter(({ last }) => last?.state !== "down")
        .flatMap(({ check }) => check ?? []);
      if (awaited.length > 0) {
        const waited = Promise.withResolvers<void>();
        const cancel = schedule(waited.resolve, WAIT_MS);
        await Promise.race([Promise.all(awaited), waited.promise]);
        cancel();
      }
      return results();
    },
    async readAll() {
      start();
      await Promise.all([...entries.values()].map(({ check }) => check));
      return results();
    },
    async close() {
      closed = true;
      for (const limit of running) limit.abort();
      await Promise.all([...entries.values()].map(({ check }) => check));
    },
  };
}

const TIMED_OUT = { problem: `No response within ${PROBE_LIMIT_MS / SECOND_MS} seconds.` };

/** Runs a probe. An error's message is not shown, because it may contain an address. */
async function run(entry: Entry, signal: AbortSignal): Promise<Finding> {
  try {
    return await entry.probe(signal);
  } catch {
    return { problem: "The check failed." };
  } finally {
    entry.run = undefined;
  }
}

function stateOf(found: Finding, latencyMs: number): Pick<Check, "state" | "detail" | "timedOut"> {
  if (found === TIMED_OUT) return { state: "down", detail: TIMED_OUT.problem, timedOut: true };
  if (found.problem !== undefined) return { state: "down", detail: found.problem };
  return {
    state: latencyMs > SLOW_MS ? "slow" : "up",
    ...found.detail === undefined ? {} : { detail: found.detail },
  };
}
