import { SECOND_MS } from "../../base/time.ts";
import type { Secrets } from "../../base/secrets.ts";
import { ConfigError } from "../config/error.ts";
import {
  type Expiring,
  expiring,
  FORMAT,
  FORMAT_KEY,
  isLive,
  isoAfter,
  refusesFormat,
  unlessReadOnly,
} from "../kv/mod.ts";
import { type CountLimits, countStep } from "./count_step.ts";
import {
  type ConfiguredSecrets,
  fingerprints,
  plannedFormat,
  type StoreFormat,
} from "./format_row.ts";
import type { AddToCommit, Migration } from "./migration.ts";

/** The key of the lease, which the process that migrates holds. */
const LEASE_KEY: Deno.KvKey = [...FORMAT_KEY, "lease"];
/** How long the lease lasts after each batch: much longer than a batch takes. */
const LEASE_MS = 30 * SECOND_MS;
/** The interval at which a process checks whether another one has finished. */
const WAIT_MS = 200;

export interface MigrateOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  /** The secrets that are lost or no longer trusted, see `shown`. */
  givenUp?: readonly string[];
  /** The migrations in the order of their formats. */
  migrations: readonly Migration[];
  clock?: () => number;
  /** Waits while another process migrates. */
  pause?: (ms: number) => Promise<void>;
  /** How many rows a batch counts, and how many counters it may change. */
  limits?: CountLimits;
}

/** What the parts of a start share. */
interface Start extends Required<Pick<MigrateOptions, "kv" | "migrations" | "clock">> {
  configured: ConfiguredSecrets;
  limits: CountLimits | undefined;
}

/**
 * Brings the store to the current format, as far as the site cannot serve without it, and notes what
 * `createStoreWork` has to do beside the site. Of several processes, one migrates and the others wait. If
 * it dies, another one continues where it stopped, so every batch either can be repeated or is counted in
 * the commit that saves the progress.
 *
 * @returns the number of rows that the migrations in this process have gone through
 * @throws {ConfigError} if the store is newer than this build, or needs a secret that is not configured
 */
export async function migrate(
  { kv, secrets, givenUp = [], migrations, clock = Date.now, pause = delay, limits }:
    MigrateOptions,
): Promise<number> {
  const configured = { ids: await fingerprints(secrets), givenUp };
  const start = { kv, migrations, clock, configured, limits };
  while (true) {
    const refused = await refusesFormat(kv);
    if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
    const entry = await kv.get<StoreFormat>(FORMAT_KEY);
    const planned = plannedFormat(migrations, entry.value, configured, clock());
    if (planned.steps === undefined) {
      if (await note(kv, entry, planned)) return 0;
      continue;
    }
    const lease = await takeLease(kv, clock);
    if (lease === null) await pause(WAIT_MS);
    else {
      const indexed = await runSteps(start, lease);
      if (indexed !== null) return indexed;
    }
  }
}

/** Writes the row if it has changed. Returns false if another process has changed it meanwhile. */
async function note(
  kv: Deno.Kv,
  entry: Deno.KvEntryMaybe<StoreFormat>,
  planned: StoreFormat,
): Promise<boolean> {
  if (JSON.stringify(entry.value) === JSON.stringify(planned)) return true;
  const write = () => kv.atomic().check(entry).set(FORMAT_KEY, planned).commit();
  // The rows can be read with both secrets, so a read-only site need not wait for the work.
  const isUsable = entry.value?.version === FORMAT;
  const saved = isUsable ? await unlessReadOnly(write) : await write();
  return saved?.ok ?? true;
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns null while another process holds it. */
async function takeLease(kv: Deno.Kv, clock: () => number): Promise<Deno.AtomicCheck | null> {
  const { key, value, versionstamp } = await kv.get<Expiring>(LEASE_KEY);
  const now = clock();
  if (value !== null && isLive(value, now)) return null;
  const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
  const commit = kv.atomic().check({ key, versionstamp }).set(key, row, expiring(row, now));
  const taken = await commit.commit();
  return taken.ok ? { key, versionstamp: taken.versionstamp } : null;
}

/** Runs the remaining steps while it holds the lease. Returns null if another process has finished them. */
async function runSteps(
  { kv, migrations, clock, configured, limits }: Start,
  lease: Deno.AtomicCheck,
): Promise<number | null> {
  const all = new Map(
    migrations.map((
      { name, step },
    ) => [name, "batch" in step ? step : countStep(kv, step, limits)]),
  );

  /** Commits if this process holds the lease, and renews it or ends it. */
  async function commitHolding(add: AddToCommit, ends = false): Promise<void> {
    const now = clock();
    const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
    const commit = kv.atomic().check(lease);
    add(commit);
    if (ends) commit.delete(LEASE_KEY);
    else commit.set(LEASE_KEY, row, expiring(row, now));
    const saved = await commit.commit();
    if (!saved.ok) throw new Error("Another process has taken over the migration.");
    lease.versionstamp = saved.versionstamp;
  }

  const { value, versionstamp } = await kv.get<StoreFormat>(FORMAT_KEY);
  const stored: Deno.AtomicCheck = { key: FORMAT_KEY, versionstamp };
  const format = plannedFormat(migrations, value, configured, clock());
  let [steps, cursor] = [format.steps ?? [], format.cursor ?? ""];
  if (steps.length === 0) {
    await commitHolding(() => {}, true);
    return null;
  }

  async function save(add: AddToCommit = () => {}): Promise<void> {
    const { cursor: _, steps: __, ...rest } = format;
    const done = steps.length === 0;
    const row: StoreFormat = { ...rest, cursor: done ? null : cursor, ...done ? {} : { steps } };
    await commitHolding((commit) => {
      add(commit);
      commit.check(stored).set(FORMAT_KEY, row);
    }, done);
    stored.versionstamp = lease.versionstamp; // one commit has written both
  }

  let indexed = 0;
  while (steps.length > 0) {
    const step = all.get(steps[0])!;
    if (cursor === "") await step.begin?.(commitHolding);
    const batch = await step.batch(cursor);
    const { next, addToCommit } = batch;
    indexed += batch.indexed ?? 0;
    if (next === null) steps = steps.slice(1);
    cursor = next ?? "";
    const isNeeded = next !== null || steps.length === 0 || addToCommit !== undefined;
    if (isNeeded) await save(addToCommit);
  }
  return indexed;
}
