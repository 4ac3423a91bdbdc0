import type { Schedule } from "../../base/schedule.ts";
import type { Secrets } from "../../base/secrets.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import type { Job } from "../jobs/mod.ts";
import { type Expiring, expiring, FORMAT, FORMAT_KEY, ifWritable, isoAfter } from "../kv/mod.ts";
import {
  beginAgain,
  type BesideWork,
  endedRotation,
  fingerprints,
  isRotating,
  readWriters,
  REPORT_LIFETIME_MS,
  REPORT_MS,
  rotating,
  shown,
  type StoreFormat,
  writerKey,
} from "./format_row.ts";
import type { AddToCommit, Migration, Step } from "./migration.ts";

/** The migrations that run beside the site, and the secrets that rows depend on, for the console. */
export interface WorkState {
  /** The shown fingerprint of the secret that the store's rows are written with; null if none is known. */
  current: string | null;
  older: {
    /** The shown fingerprint. */
    id: string;
    /** From when on it can be removed, ISO 8601; null while rows depend on it. */
    unusedFrom: string | null;
    /** Whether a process has written rows with it within the last minute. */
    written: boolean;
  }[];
  /** The migrations that are not complete, in their order. */
  steps: { label: string; /** From 0 to 1. */ share: number | null; incomplete: boolean }[];
  /** False if the work waits for processes that write with an older secret. */
  begun: boolean;
}

/** Runs migrations as a job while the site serves. */
export interface StoreWork {
  job: Job;
  state(): Promise<WorkState>;
  /** Returns the labels of the migrations whose rows do not exist in full yet. */
  incomplete(): Promise<string[]>;
  /**
   * Returns whether the rows of a migration that runs beside the site exist in full. They stay complete
   * while `APP_SECRET` is replaced.
   */
  isComplete(name: string): Promise<boolean>;
  /** Reports if this process writes rows with an older secret than others do. */
  report(): Promise<void>;
  /** Starts to report regularly. */
  start(): void;
  close(): void;
}

export interface StoreWorkOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  clock: () => number;
  schedule: Schedule;
  log: (entry: Record<string, unknown>) => void;
  /** Returns the migrations of all features, which are known once all of them are created. */
  migrations: () => readonly Migration[];
  /** Waits between batches; replaced in tests. */
  pause?: (ms: number) => Promise<void>;
}

/**
 * How long processes have to notice that another secret is the current one, before rows are written again: they
 * look every {@link REPORT_MS}.
 */
const NOTICE_MS = 3 * REPORT_MS;

type FormatEntry = Deno.KvEntry<StoreFormat>;

/**
 * Creates the work on the store beside the site. The row `["format"]` has its progress, and every commit that
 * saves it checks that row. So of two processes that run it at the same time, one stops, and it begins
 * again when a process starts with another secret.
 */
export function createStoreWork(options: StoreWorkOptions): StoreWork {
  const { kv, secrets, clock, schedule, migrations } = options;
  /** True once everything was complete, which it then stays. */
  let complete = false;
  let cancel = () => {};

  /** Returns the names of the migrations whose rows do not exist in full yet. */
  async function readIncomplete(): Promise<string[]> {
    if (complete) return [];
    const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
    const names = value?.beside?.incomplete ?? [];
    complete = names.length === 0;
    return names;
  }

  async function report(): Promise<void> {
    const [own] = await fingerprints(secrets);
    const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
    if (value?.secrets === undefined || value.secrets.current === own) return;
    const now = clock();
    const row: Expiring = { expires_at: isoAfter(now, REPORT_LIFETIME_MS) };
    await ifWritable(() => kv.set(writerKey(own), row, expiring(row, now)));
  }

  function scheduleReport(): void {
    cancel = schedule(
      () => void report().catch(() => {}).finally(scheduleReport).catch(reportError),
      REPORT_MS,
    );
  }

  return {
    job: {
      name: "store",
      title: "Migrations and secrets of the store",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      resumeMs: SECOND_MS,
      async run({ signal }) {
        const { rows, waits } = await runBeside(options, signal);
        if (waits) return "waits for processes with another secret";
        return rows === 0 ? "nothing to do" : `${rows} rows`;
      },
    },
    async state() {
      const [{ value }, writers] = await Promise.all([
        kv.get<StoreFormat>(FORMAT_KEY),
        readWriters(kv, clock()),
      ]);
      return stateOf(value, migrations(), writers);
    },
    async incomplete() {
      const names = await readIncomplete();
      return names.map((name) => labelOf(migrations(), name));
    },
    isComplete: async (name) => !(await readIncomplete()).includes(name),
    report,
    start: scheduleReport,
    close: () => cancel(),
  };
}

const labelOf = (migrations: readonly Migration[], name: string): string =>
  migrations.find((each) => each.name === name)?.label ?? name;

function stateOf(
  format: StoreFormat | null,
  migrations: readonly Migration[],
  writers: ReadonlyMap<string, string>,
): WorkState {
  const { secrets, beside } = format ?? {};
  const [first] = beside?.steps ?? [];
  return {
    current: secrets === undefined ? null : shown(secrets.current),
    older: (secrets?.older ?? []).map(({ id, unused_from }) => ({
      id: shown(id),
      unusedFrom: unused_from,
      written: writers.has(id),
    })),
    steps: (beside?.steps ?? []).map((name) => {
      const step = migrations.find((each) => each.name === name)?.step;
      const cursor = name === first ? beside!.cursor : "";
      const share = step !== undefined && "share" in step ? step.share?.(cursor) ?? null : null;
      return {
        label: labelOf(migrations, name),
        share: cursor === "" ? 0 : share,
        incomplete: beside!.incomplete.includes(name),
      };
    }),
    begun: beside !== undefined && (beside.begun !== null || beside.cursor !== ""),
  };
}

/**
 * Runs the migrations that run beside the site, as far as it gets.
 *
 * @param signal ends it after the current batch
 * @returns the number of rows that were written, and whether the rest waits for processes that write with an
 * older secret
 */
export async function runBeside(
  options: StoreWorkOptions,
  signal: AbortSignal,
): Promise<{ rows: number; waits: boolean }> {
  const { kv, secrets, clock, migrations, pause = delay } = options;
  const [own] = await fingerprints(secrets);
  let rows = 0;
  while (!signal.aborted) {
    const entry = await kv.get<StoreFormat>(FORMAT_KEY);
    if (entry.versionstamp === null || entry.value.version !== FORMAT) break;
    const writers = await readWriters(kv, clock());
    const changed = reconsidered(entry.value, migrations(), writers);
    if (changed !== null) {
      await save(kv, entry, changed);
      continue;
    }
    const { beside, secrets: used } = entry.value;
    if (beside === undefined) break;
    // This process would write the rows with another secret than the one that the store depends on from now on.
    if (used !== undefined && used.current !== own) return { rows, waits: true };
    if (mustWait(entry.value, writers, clock())) return { rows, waits: true };
    const begun = performance.now();
    rows += await runBatch(options, entry, beside);
    await pause(performance.now() - begun); // half of the time belongs to requests
  }
  return { rows, waits: false };
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Returns the row with the work that has become necessary: rows depend on an older secret, or a process has
 * written with one after they seemed to be written again.
 *
 * @returns null if there is none
 */
function reconsidered(
  format: StoreFormat,
  migrations: readonly Migration[],
  writers: ReadonlyMap<string, string>,
): StoreFormat | null {
  const { secrets, beside } = format;
  if (secrets === undefined) return null;
  const late = secrets.older.filter(({ id, unused_from }) =>
    unused_from !== null && writers.has(id)
  );
  const names = rotating(migrations);
  const isQueued = names.length === 0 || names.some((name) => beside?.steps.includes(name));
  if (late.length === 0 && (isQueued || !isRotating(format))) return null;
  const older = secrets.older.map((each) =>
    late.includes(each) ? { ...each, unused_from: null } : each
  );
  return beginAgain(migrations, { ...format, secrets: { ...secrets, older } });
}

/**
 * Returns whether the migrations that follow a change of the secret cannot begin yet, because a process may
 * still write with an older one: they would not write the rows of such a process again.
 */
function mustWait(format: StoreFormat, writers: ReadonlyMap<string, string>, now: number): boolean {
  if (!isRotating(format) || format.beside?.begun !== null) return false;
  const { since, older } = format.secrets!;
  return now < Date.parse(since) + NOTICE_MS || older.some(({ id }) => writers.has(id));
}

const REMOVED: Step = { batch: () => Promise.resolve({ next: null }) };

/** Runs one batch of the first migration, and saves the progress. Returns the number of its rows. */
async function runBatch(
  options: StoreWorkOptions,
  entry: FormatEntry,
  { begun = null, ...beside }: BesideWork,
): Promise<number> {
  const { kv, clock, migrations } = options;
  const [name, ...others] = beside.steps;
  const found = migrations().find((each) => each.name === name)?.step;
  // A migration that this build no longer has is complete.
  const step = found as Step | undefined ?? REMOVED;
  if (beside.cursor === "") {
    await step.begin?.(async (add) => {
      if (!await save(kv, entry, entry.value, add)) throw new Error("The work has begun again.");
    });
  }
  const since = begun ?? new Date(clock()).toISOString();
  const { next, indexed = 0, addToCommit } = await step.batch(beside.cursor);
  const steps = next === null ? others : beside.steps;
  const incomplete = beside.incomplete.filter((each) => steps.includes(each));
  const { beside: _, ...format } = entry.value;
  const work = { steps, incomplete, cursor: next ?? "", begun: since };
  const changed = steps.length === 0 ? format : { ...format, beside: work };
  const isLast = !steps.some((each) => rotating(migrations()).includes(each));
  const ended = isLast && isRotating(format) ? await endRotation(options, changed, since) : changed;
  return await save(kv, entry, ended, addToCommit) ? indexed : 0;
}

/**
 * Returns the row after the last migration that follows a change of the secret. If a process has written with an
 * older one meanwhile, they begin again.
 */
async function endRotation(
  { kv, clock, migrations, log }: StoreWorkOptions,
  format: StoreFormat,
  begun: string,
): Promise<StoreFormat> {
  const writers = await readWriters(kv, 0);
  const isLate = format.secrets!.older.some(({ id }) => (writers.get(id) ?? "") > begun);
  if (isLate) return beginAgain(migrations(), format);
  const ended = endedRotation(format, clock());
  const older = ended.secrets!.older.map(({ id, unused_from }) => `${shown(id)} ${unused_from}`);
  log({ level: "info", event: "app_secret_replaced", removable: older.join(", ") });
  return ended;
}

/** Saves the row unless another process has changed it. Returns whether it was saved. */
async function save(
  kv: Deno.Kv,
  entry: FormatEntry,
  format: StoreFormat,
  add: AddToCommit = () => {},
): Promise<boolean> {
  const commit = kv.atomic().check(entry).set(FORMAT_KEY, format);
  add(commit);
  const saved = await commit.commit();
  if (!saved.ok) return false;
  Object.assign(entry, { value: format, versionstamp: saved.versionstamp });
  return true;
}
