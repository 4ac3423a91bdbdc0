import { eventCounters } from "../../features/chain/store/mod.ts";
import { ConfigError } from "../../platform/config/error.ts";
import { type ContactIndex, dayCounters } from "../../features/contact/mod.ts";
import {
  type Expiring,
  expiring,
  FORMAT,
  FORMAT_KEY,
  isLive,
  isoAfter,
  refusesFormat,
  whenUnlocked,
} from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { SECOND_MS } from "../../base/time.ts";
import { indexContactsStep } from "./contacts.ts";
import { type CountLimits, countStep } from "./counters.ts";
import { deleteStep } from "./delete.ts";
import { recordsInProgressStep } from "./records_in_progress.ts";
import type { AddToCommit, Step } from "./step.ts";

/** The steps in their order, with the format that each one leads to. */
const FORMATS = { contacts: 2, events: 3, days: 3, records: 4, payments: 5 } as const;
type StepName = keyof typeof FORMATS;
const NAMES = Object.keys(FORMATS) as StepName[];

/** The store's format, and the progress of its migration. */
interface StoreFormat {
  version: number;
  /** Identifies the secrets, with commas; the first one signs the keys of the index. */
  index: string;
  /** The cursor at which the current step continues; null if no migration runs. */
  cursor: string | null;
  /** The steps that are not done, while the migration runs. Absent before format 3. */
  steps?: StepName[];
}

/** The rest of a migration. */
interface Plan {
  steps: StepName[];
  cursor: string;
}

/** Held by the process that migrates. */
const LEASE_KEY: Deno.KvKey = [...FORMAT_KEY, "lease"];
/** Much longer than a batch takes. */
const LEASE_MS = 30 * SECOND_MS;
/** The interval at which a process checks whether another one has finished. */
const WAIT_MS = 200;

export interface MigrateOptions {
  kv: Deno.Kv;
  index: ContactIndex;
  secrets: Secrets;
  clock?: () => number;
  /** Waits for another process. */
  pause?: (ms: number) => Promise<void>;
  /** How many rows a batch counts, and how many counters it may change. */
  limits?: CountLimits;
}

/**
 * Brings the store to the current format before the site serves requests: indexes and counts records,
 * counts events and registrations by day and month, brings deletions, recoveries and corrections in
 * progress to what this version does, and deletes the counters of payments. Indexes the records again if
 * `APP_SECRET` was changed, because the index's keys are signatures. Of several processes, one
 * migrates and the others wait. If it dies, another one continues where it stopped, so every batch
 * either can be repeated or is counted in the commit that saves the progress.
 *
 * @returns the number of contacts that this process indexed
 * @throws {ConfigError} if the store is newer than this build
 */
export async function migrate(
  { kv, index, secrets, clock = Date.now, pause = delay, limits }: MigrateOptions,
): Promise<number> {
  const current = (await secrets.signatures("contact-index", "current")).join();
  while (true) {
    const refused = await refusesFormat(kv);
    if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
    const { value } = await whenUnlocked(() => kv.get<StoreFormat>(FORMAT_KEY));
    if (planOf(value, current).steps.length === 0) return 0;
    const lease = await takeLease(kv, clock);
    if (lease === null) await pause(WAIT_MS);
    else return await runSteps({ kv, index, secrets, clock, current, limits }, lease);
  }
}

/** Returns the steps that a store needs, given the secrets `index`. */
function planOf(format: StoreFormat | null, index: string): Plan {
  if (format === null) return { steps: NAMES, cursor: "" };
  const outdated = NAMES.filter((name) => format.version < FORMATS[name]);
  // In format 2, records were indexed while there was a cursor.
  const begun = format.steps ?? (format.cursor === null ? [] : ["contacts" as const]);
  const steps = new Set([...begun, ...outdated]);
  if (isIndexed(format.index, index)) return { steps: [...steps], cursor: format.cursor ?? "" };
  return { steps: [...new Set(["contacts" as const, ...steps])], cursor: "" };
}

/**
 * Returns false if the first secret was changed, or an older one removed: a process that did not have
 * the new one yet may have indexed records with the old one after the migration.
 */
function isIndexed(before: string, now: string): boolean {
  const [olds, news] = [before.split(","), now.split(",")];
  return olds[0] === news[0] && olds.every((old) => news.includes(old));
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns null while another process holds it. */
async function takeLease(kv: Deno.Kv, clock: () => number): Promise<Deno.AtomicCheck | null> {
  const { key, value, versionstamp } = await whenUnlocked(() => kv.get<Expiring>(LEASE_KEY));
  const now = clock();
  if (value !== null && isLive(value, now)) return null;
  const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
  const commit = kv.atomic().check({ key, versionstamp }).set(key, row, expiring(row, now));
  const taken = await whenUnlocked(() => commit.commit());
  return taken.ok ? { key, versionstamp: taken.versionstamp } : null;
}

/** Runs the remaining steps while it holds the lease. */
async function runSteps(
  { kv, index, secrets, clock, current, limits }: {
    kv: Deno.Kv;
    index: ContactIndex;
    secrets: Secrets;
    clock: () => number;
    current: string;
    limits: CountLimits | undefined;
  },
  lease: Deno.AtomicCheck,
): Promise<number> {
  const all: Record<StepName, Step> = {
    contacts: indexContactsStep({ kv, index }),
    events: countStep(kv, eventCounters, limits),
    days: countStep(kv, dayCounters, limits),
    records: recordsInProgressStep({ kv, secrets, clock }),
    payments: deleteStep(kv, ["payment_totals"]),
  };

  /** Commits if this process holds the lease, and renews it or ends it. */
  async function commitHolding(add: AddToCommit, ends = false): Promise<void> {
    const now = clock();
    const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
    const commit = kv.atomic().check(lease);
    add(commit);
    if (ends) commit.delete(LEASE_KEY);
    else commit.set(LEASE_KEY, row, expiring(row, now));
    const saved = await whenUnlocked(() => commit.commit());
    if (!saved.ok) throw new Error("Another process has taken over the migration.");
    lease.versionstamp = saved.versionstamp;
  }

  function save({ steps, cursor }: Plan, add: AddToCommit = () => {}): Promise<void> {
    const done = steps.length === 0;
    const format: StoreFormat = {
      version: FORMAT,
      index: current,
      cursor: done ? null : cursor,
      ...done ? {} : { steps },
    };
    return commitHolding((commit) => {
      add(commit);
      commit.set(FORMAT_KEY, format);
    }, done);
  }

  // Another process may have finished after the format was read and before the lease was taken.
  const { value } = await whenUnlocked(() => kv.get<StoreFormat>(FORMAT_KEY));
  let { steps, cursor } = planOf(value, current);
  let indexed = 0;
  while (steps.length > 0) {
    const [name] = steps;
    if (cursor === "") await all[name].begin?.(commitHolding);
    const { count, next, addToCommit } = await all[name].batch(cursor);
    if (name === "contacts") indexed += count;
    if (next === null) steps = steps.slice(1);
    cursor = next ?? "";
    const isNeeded = next !== null || steps.length === 0 || addToCommit !== undefined;
    if (isNeeded) await save({ steps, cursor }, addToCommit);
  }
  return indexed;
}
