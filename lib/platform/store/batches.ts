/** Runs the migrations of a store, one batch after the other. The row `["format"]` has their progress. */
import { sleep } from "../../base/sleep.ts";
import type { Secrets } from "../../base/secrets.ts";
import { FORMAT, FORMAT_KEY } from "../kv/mod.ts";
import {
  beginAgain,
  endedRotation,
  fingerprints,
  isRotating,
  readWriters,
  REPORT_MS,
  rotating,
  shortFingerprint,
  type StoreFormat,
  type Work,
} from "./format_row.ts";
import type { AddToCommit, Migration, Step } from "./migration.ts";

export interface BatchOptions {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  /** Returns the migrations of all features, which are known once all of them are created. */
  migrations: () => readonly Migration[];
}

/**
 * How long processes have to notice that another secret is the current one, before rows are written again: they
 * look every {@link REPORT_MS}.
 */
const NOTICE_MS = 3 * REPORT_MS;

type FormatEntry = Deno.KvEntry<StoreFormat>;

export interface BesideOptions extends BatchOptions {
  secrets: Secrets;
  /** Waits between batches; replaced in tests. */
  pause?: (ms: number) => Promise<void>;
  /** The format of this build; tests give the next one. */
  format?: number;
}

/**
 * Runs the migrations that run beside the site, as far as it gets.
 *
 * @param signal ends it after the current batch
 * @returns the number of rows that were written, and whether the rest waits for processes that write with an
 * older secret
 */
export async function runBeside(
  options: BesideOptions,
  signal: AbortSignal,
): Promise<{ rows: number; waits: boolean }> {
  const { kv, secrets, clock, migrations, pause = sleep, format = FORMAT } = options;
  const [own] = await fingerprints(secrets);
  let rows = 0;
  while (!signal.aborted) {
    const entry = await kv.get<StoreFormat>(FORMAT_KEY);
    if (entry.versionstamp === null || entry.value.version !== format) break;
    const writers = await readWriters(kv, clock());
    const changed = reconsidered(entry.value, migrations(), writers);
    if (changed !== null) {
      await save(kv, entry, changed);
      continue;
    }
    const { work, secrets: used } = entry.value;
    if (work === undefined) break;
    // This process would write the rows with another secret than the one that the store depends on from now on.
    if (used !== undefined && used.current !== own) return { rows, waits: true };
    if (mustWait(entry.value, writers, clock())) return { rows, waits: true };
    const begun = performance.now();
    rows += await runBatch(options, entry, work);
    await pause(performance.now() - begun); // half of the time belongs to requests
  }
  return { rows, waits: false };
}

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
  const { secrets, work } = format;
  if (secrets === undefined) return null;
  const late = secrets.older.filter(({ id, unused_from }) =>
    unused_from !== null && writers.has(id)
  );
  const names = rotating(migrations);
  const isQueued = names.length === 0 || names.some((name) => work?.steps.includes(name));
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
  if (!isRotating(format) || format.work?.begun !== null) return false;
  const { since, older } = format.secrets!;
  return now < Date.parse(since) + NOTICE_MS || older.some(({ id }) => writers.has(id));
}

const REMOVED: Step = { batch: () => Promise.resolve({ next: null }) };

/**
 * Runs one batch of the first migration, and saves the progress in a commit that checks the row. So if two
 * processes run the same batch, it counts once.
 *
 * @param entry the row, which gets its new value
 * @returns the number of rows that the batch has gone through; 0 if another process has changed the row
 */
export async function runBatch(
  options: BatchOptions,
  entry: FormatEntry,
  { cursor, begun, ...work }: Work,
): Promise<number> {
  const { kv, clock, migrations } = options;
  const [name, ...others] = work.steps;
  // A migration that this build no longer has is complete.
  const { step, rotates } = migrations().find((each) => each.name === name) ?? { step: REMOVED };
  const now = new Date(clock()).toISOString();
  const { next, indexed = 0, addToCommit } = await step.batch(cursor);
  const steps = next === null ? others : work.steps;
  const incomplete = work.incomplete.filter((each) => steps.includes(each));
  const since = rotates ? begun ?? now : begun;
  const { work: _, ...format } = entry.value;
  const changed = steps.length === 0
    ? format
    : { ...format, work: { steps, incomplete, cursor: next ?? "", begun: since } };
  const isLast = !steps.some((each) => rotating(migrations()).includes(each));
  const ended = isLast && isRotating(format)
    ? await endRotation(options, changed, since ?? now)
    : changed;
  return await save(kv, entry, ended, addToCommit) ? indexed : 0;
}

/**
 * Returns the row after the last migration that follows a change of the secret. If a process has written with an
 * older one meanwhile, they begin again.
 */
async function endRotation(
  { kv, clock, migrations, log }: BatchOptions,
  format: StoreFormat,
  begun: string,
): Promise<StoreFormat> {
  const writers = await readWriters(kv, 0);
  const isLate = format.secrets!.older.some(({ id }) => (writers.get(id) ?? "") > begun);
  if (isLate) return beginAgain(migrations(), format);
  const ended = endedRotation(format, clock());
  const older = ended.secrets!.older.map(({ id, unused_from }) =>
    `${shortFingerprint(id)} ${unused_from}`
  );
  log({ level: "info", event: "app_secret_replaced", removable: older.join(", ") });
  return ended;
}

/** Saves the row unless another process has changed it. Returns whether it was saved. */
export async function save(
  kv: Deno.Kv,
  entry: Deno.KvEntryMaybe<StoreFormat>,
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
