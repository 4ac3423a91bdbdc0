import { type Jobs, readOutbox } from "../platform/jobs/mod.ts";
import { freeBytes, isFile } from "../platform/kv/mod.ts";
import { inTime } from "../base/in_time.ts";
import type { Readiness } from "../platform/store/mod.ts";
import { SECOND_MS } from "../base/time.ts";
import type { GaugeReading, Sample } from "../platform/telemetry/metrics.ts";
import { type GaugeName, METRICS } from "../platform/telemetry/table.ts";

export interface GaugesOptions {
  kv: Deno.Kv;
  clock: () => number;
  kvPath: string | undefined;
  jobs: Pick<Jobs, "states">;
  /** The labels of `build_info`. */
  build: { version: string; revision: string; process: string };
  inFlight: { readonly size: number };
  streams: { readonly size: number };
  readiness: () => Promise<Pick<Readiness, "status">>;
  /** How long to wait for each reading. Default: 1 second. */
  limitMs?: number;
}

/** Samples by gauge. */
type Read = Partial<Record<GaugeName, Sample[]>>;

/**
 * Creates a function that reads all gauges. Gauges that cannot be read in time are left out and counted.
 * Readers at the same time share one reading.
 */
export function createGauges(options: GaugesOptions): () => Promise<GaugeReading[]> {
  const { limitMs = SECOND_MS } = options;
  let reading: Promise<GaugeReading[]> | undefined;

  async function read(): Promise<GaugeReading[]> {
    const sources = [processGauges, storeGauges, diskGauges, readyGauges, jobGauges, outboxGauges];
    const read = await Promise.all(
      sources.map((source) => inTime(start(source, options), limitMs)),
    );
    const missing = read.filter((found) => !found).length;
    const all: Read = Object.assign({ gauges_missing: [plain(missing)] }, ...read);
    // In the order of the table.
    return Object.keys(METRICS).flatMap((name) => {
      const samples = all[name as GaugeName];
      return samples === undefined ? [] : [{ name: name as GaugeName, samples }];
    });
  }

  return () => reading ??= read().finally(() => reading = undefined);
}

const plain = (value: number): Sample => ({ labels: {}, value });

/** Returns null if reading fails. */
const start = (
  source: (options: GaugesOptions) => Read | Promise<Read>,
  options: GaugesOptions,
): Promise<Read | null> => Promise.try(() => source(options)).catch(() => null);

function processGauges({ build, inFlight, streams }: GaugesOptions): Read {
  const { rss, heapUsed, external } = Deno.memoryUsage();
  const memory = { resident: rss, heap: heapUsed, external };
  return {
    build_info: [{ labels: { ...build, deno: Deno.version.deno }, value: 1 }],
    start_time_seconds: [plain(Math.round(performance.timeOrigin) / SECOND_MS)],
    uptime_seconds: [plain(performance.now() / SECOND_MS)],
    memory_bytes: Object.entries(memory).map(([kind, value]) => ({ labels: { kind }, value })),
    requests_in_flight: [plain(inFlight.size)],
    open_streams: [plain(streams.size)],
  };
}

async function storeGauges({ kv }: GaugesOptions): Promise<Read> {
  const start = performance.now();
  await kv.get(["store"]);
  return { kv_read_seconds: [plain((performance.now() - start) / SECOND_MS)] };
}

async function diskGauges({ kvPath }: GaugesOptions): Promise<Read> {
  if (!isFile(kvPath)) return {};
  const sizeOf = (path: string) => Deno.stat(path).then(({ size }) => size, () => 0);
  const sizes = await Promise.all([sizeOf(kvPath), sizeOf(`${kvPath}-wal`)]);
  const read: Read = { store_bytes: [plain(sizes[0] + sizes[1])] };
  const free = await freeBytes(kvPath);
  return free === undefined ? read : { ...read, disk_free_bytes: [plain(free)] };
}

async function readyGauges({ readiness }: GaugesOptions): Promise<Read> {
  const { status } = await readiness();
  return {
    ready: [plain(status === "not_ready" ? 0 : 1)],
    read_only: [plain(status === "read_only" ? 1 : 0)],
  };
}

async function jobGauges({ jobs, clock }: GaugesOptions): Promise<Read> {
  const states = await jobs.states();
  const ended = states.flatMap(({ name, lastRun }) =>
    lastRun === null ? [] : [{ labels: { task: name }, lastRun }]
  );
  return {
    job_period_seconds: states.map(({ name, everyMs }) => ({
      labels: { task: name },
      value: everyMs / SECOND_MS,
    })),
    job_age_seconds: ended.map(({ labels, lastRun: { started, finished } }) => ({
      labels,
      value: Math.max(0, clock() - Date.parse(finished ?? started)) / SECOND_MS,
    })),
    job_ok: ended.map(({ labels, lastRun: { outcome } }) => ({
      labels,
      value: outcome === "done" || outcome === "stopped" ? 1 : 0,
    })),
  };
}

async function outboxGauges({ kv, clock }: GaugesOptions): Promise<Read> {
  const now = clock();
  const states = await Promise.all(
    METRICS.outbox_waiting.labels.channel.map(async (channel) => ({
      labels: { channel },
      state: await readOutbox(kv, channel, now),
    })),
  );
  return {
    outbox_waiting: states.map(({ labels, state }) => ({ labels, value: state.waiting })),
    outbox_oldest_seconds: states.map(({ labels, state: { waitingSince } }) => ({
      labels,
      value: waitingSince === null ? 0 : Math.max(0, now - Date.parse(waitingSince)) / SECOND_MS,
    })),
    outbox_dead: states.map(({ labels, state }) => ({ labels, value: state.dead })),
  };
}
