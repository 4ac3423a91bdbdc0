import { z } from "zod";
import { SECOND_MS } from "../../base/time.ts";
import type { Secrets } from "../../base/secrets.ts";
import { ConfigError } from "../config/error.ts";
import {
  ALWAYS,
  defineTable,
  EXPIRING,
  type Expiring,
  expiring,
  FORMAT,
  FORMAT_KEY,
  isLive,
  isoAfter,
  refusesFormat,
} from "../kv/mod.ts";
import { type CountLimits, countStep } from "./count_step.ts";
import type { AddToCommit, Migration } from "./migration.ts";

/** The store's format, and the progress of its migration. */
const storeFormat = z.strictObject({
  version: z.int(),
  /** Identifies the secrets, with commas; the first one signs the keys of the index. */
  index: z.string(),
  /** The cursor at which the current step continues; null if no migration runs. */
  cursor: z.string().nullable(),
  /** The steps that are not done, while the migration runs. Absent before format 3. */
  steps: z.array(z.string()).optional(),
});

type StoreFormat = z.infer<typeof storeFormat>;

/** The rows `["format"]` and, below it, the lease of the process that migrates. */
export const formatTable = defineTable({
  prefix: String(FORMAT_KEY[0]),
  value: z.union([storeFormat, z.strictObject(EXPIRING)]),
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

/** The rest of a migration. */
interface Plan {
  steps: string[];
  cursor: string;
}

/** The key of the lease, which the process that migrates holds. */
const LEASE_KEY: Deno.KvKey = [...FORMAT_KEY, "lease"];
/** How long the lease lasts after each batch: much longer than a batch takes. */
const LEASE_MS = 30 * SECOND_MS;
/** The interval at which a process checks whether another one has finished. */
const WAIT_MS = 200;

export interface MigrateOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  /** The migrations in the order of their formats. Only one of them depends on a secret. */
  migrations: readonly Migration[];
  clock?: () => number;
  /** Waits while another process migrates. */
  pause?: (ms: number) => Promise<void>;
  /** How many rows a batch counts, and how many counters it may change. */
  limits?: CountLimits;
}

/**
 * Brings the store to the current format before the site serves requests. A migration whose rows have
 * keys that are signatures runs again if `APP_SECRET` was changed. Of several processes, one
 * migrates and the others wait. If it dies, another one continues where it stopped, so every batch
 * either can be repeated or is counted in the commit that saves the progress.
 *
 * @returns the number of rows that this process indexed
 * @throws {ConfigError} if the store is newer than this build
 */
export async function migrate(
  { kv, secrets, migrations, clock = Date.now, pause = delay, limits }: MigrateOptions,
): Promise<number> {
  const purpose = migrations.find(({ secret }) => secret !== undefined)?.secret;
  const current = purpose === undefined
    ? ""
    : (await secrets.signatures(purpose, "current")).join();
  while (true) {
    const refused = await refusesFormat(kv);
    if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
    const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
    if (planOf(migrations, value, current).steps.length === 0) return 0;
    const lease = await takeLease(kv, clock);
    if (lease === null) await pause(WAIT_MS);
    else return await runSteps({ kv, migrations, clock, current, limits }, lease);
  }
}

/** Returns the steps that a store needs, given the secrets `index`. */
function planOf(
  migrations: readonly Migration[],
  format: StoreFormat | null,
  index: string,
): Plan {
  if (format === null) return { steps: namesOf(migrations), cursor: "" };
  const outdated = namesOf(migrations.filter((each) => format.version < each.format));
  const signed = namesOf(migrations.filter(({ secret }) => secret !== undefined));
  // In format 2, records were indexed while there was a cursor.
  const begun = format.steps ?? (format.cursor === null ? [] : signed);
  const steps = new Set([...begun, ...outdated]);
  if (isIndexed(format.index, index)) return { steps: [...steps], cursor: format.cursor ?? "" };
  return { steps: [...new Set([...signed, ...steps])], cursor: "" };
}

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

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
  const { key, value, versionstamp } = await kv.get<Expiring>(LEASE_KEY);
  const now = clock();
  if (value !== null && isLive(value, now)) return null;
  const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
  const commit = kv.atomic().check({ key, versionstamp }).set(key, row, expiring(row, now));
  const taken = await commit.commit();
  return taken.ok ? { key, versionstamp: taken.versionstamp } : null;
}

/** Runs the remaining steps while it holds the lease. */
async function runSteps(
  { kv, migrations, clock, current, limits }: {
    kv: Deno.Kv;
    migrations: readonly Migration[];
    clock: () => number;
    current: string;
    limits: CountLimits | undefined;
  },
  lease: Deno.AtomicCheck,
): Promise<number> {
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
  const { value } = await kv.get<StoreFormat>(FORMAT_KEY);
  let { steps, cursor } = planOf(migrations, value, current);
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
    if (isNeeded) await save({ steps, cursor }, addToCommit);
  }
  return indexed;
}
