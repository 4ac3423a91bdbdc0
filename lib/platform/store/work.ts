/** Runs migrations in the background while the site serves, and reports their progress. */
import type { Schedule } from "../../base/schedule.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import type { Job } from "../jobs/mod.ts";
import { type Expiring, expiring, FORMAT_KEY, ifWritable, isoAfter } from "../kv/mod.ts";
import { type BesideOptions, runBeside } from "./batches.ts";
import {
  fingerprints,
  readWriters,
  REPORT_LIFETIME_MS,
  REPORT_MS,
  shortFingerprint,
  type StoreFormat,
  writerKey,
} from "./format_row.ts";
import type { Migration } from "./migration.ts";

/** The migrations that run beside the site, and the secrets that rows depend on, for the console. */
export interface WorkState {
  /** The shown fingerprint of the secret that the store's rows are written with; null if none is known. */
  current: string | null;
  older: {
    /** The shown fingerprint. */
    id: string;
    /** From when on it can be removed, ISO 8601; null while rows depend on it. */
    unusedFrom: string | null;
    /** True if a process has written rows with it within the last minute. */
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

interface StoreWorkOptions extends BesideOptions {
  schedule: Schedule;
}

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

  async function isComplete(name: string): Promise<boolean> {
    if (complete) return true;
    const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
    const names = value?.work?.incomplete ?? [];
    complete = names.length === 0;
    return !names.includes(name);
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
    isComplete,
    report,
    start: scheduleReport,
    close: () => cancel(),
  };
}

function stateOf(
  format: StoreFormat | null,
  migrations: readonly Migration[],
  writers: ReadonlyMap<string, string>,
): WorkState {
  const { secrets, work } = format ?? {};
  const { steps = [], incomplete = [], cursor = "", begun = null } = work ?? {};
  return {
    current: secrets === undefined ? null : shortFingerprint(secrets.current),
    older: (secrets?.older ?? []).map(({ id, unused_from }) => ({
      id: shortFingerprint(id),
      unusedFrom: unused_from,
      written: writers.has(id),
    })),
    steps: steps.map((name, i) => {
      const { label = name, step } = migrations.find((each) => each.name === name) ?? {};
      const isBegun = i === 0 && cursor !== "";
      return {
        label,
        share: isBegun ? step?.share?.(cursor) ?? null : 0,
        incomplete: incomplete.includes(name),
      };
    }),
    begun: begun !== null || cursor !== "",
  };
}
