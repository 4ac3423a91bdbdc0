/** Transactions: reads and a commit that checks them, repeated while other writers are faster. */
import { sleep } from "../../base/sleep.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { inScope } from "./scope.ts";
import { CountingScope, MustWait, Turn } from "./turns.ts";

/** The outcome of one attempt: a result, and the writes that it depends on, if any. */
export interface Attempt<Result> {
  result: Result;
  /** The result is returned only if this commit succeeds. */
  commit?: Deno.AtomicOperation;
}

/** Thrown when every attempt failed because of another write. */
export class KvBusyError extends Error {
  readonly code = "kv_busy";

  constructor(attempts: number) {
    super(`The store was too busy: ${attempts} attempts in a row failed.`);
    this.name = "KvBusyError";
  }
}

/** About five seconds of retries, enough for many writers of one key. */
const ATTEMPTS = 20;
const MAX_DELAY_MS = 1_000;

/**
 * Runs a transaction. `attempt` reads values and returns a commit that checks them. It runs again if
 * another writer was faster, or if another process locked the SQLite file (`TypeError: database is
 * locked`), so it must have no other effects.
 *
 * @returns the result of the attempt whose commit succeeded
 * @throws {KvBusyError} after the last attempt
 *
 * @example
 * ```ts
 * const next = await transact(async () => {
 *   const entry = await kv.get<number>(["count"]);
 *   const result = (entry.value ?? 0) + 1;
 *   return { result, commit: kv.atomic().check(entry).set(["count"], result) };
 * });
 * ```
 */
export async function transact<Result>(
  attempt: () => Promise<Attempt<Result>>,
  maxAttempts: number = ATTEMPTS,
): Promise<Result> {
  const turn = new Turn();
  return (await retry(maxAttempts, () => run(attempt, turn))).result;
}

/**
 * Runs one attempt of a transaction, for what is pointless after somebody else was faster.
 *
 * @returns the result; null if another write made the commit fail
 */
export const attemptOnce = async <Result>(
  attempt: () => Promise<Attempt<Result>>,
): Promise<Result | null> => (await run(attempt, new Turn()))?.result ?? null;

/** Runs an attempt when it is its turn. Returns undefined if its commit fails. */
async function run<Result>(
  attempt: () => Promise<Attempt<Result>>,
  turn: Turn,
): Promise<{ result: Result } | undefined> {
  for (;;) {
    await turn.begin();
    const scope = new CountingScope(turn);
    try {
      return await inScope(scope, async () => {
        const { result, commit } = await attempt();
        if (commit !== undefined && !(await commit.commit()).ok) return undefined;
        return { result };
      });
    } catch (error) {
      // Otherwise, those who wait would have to wait for the store one after another.
      if (error instanceof StoreUnavailableError) turn.open();
      if (!(error instanceof MustWait)) throw error;
    } finally {
      scope.ended = true;
      turn.end();
    }
  }
}

/**
 * Retries a step while another process locks the SQLite file. Use it to open the file, and for writes
 * that do not depend on a read.
 *
 * @throws {KvBusyError} after the last attempt
 */
export async function whenUnlocked<Result>(step: () => Promise<Result>): Promise<Result> {
  return (await retry(ATTEMPTS, async () => ({ result: await step() }))).result;
}

async function retry<Result>(
  maxAttempts: number,
  step: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let i = 1; i <= maxAttempts; i++) {
    try {
      const result = await step();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    await delay(i);
  }
  throw new KvBusyError(maxAttempts);
}

/** Returns whether another process has locked the SQLite file. */
export const isLocked = (error: unknown): boolean =>
  error instanceof TypeError && error.message.includes("database is locked");

/** Exponential backoff with full jitter, so that two writers do not collide again. */
function delay(attempt: number): Promise<void> {
  const max = Math.min(MAX_DELAY_MS, 2 ** attempt);
  return sleep(Math.random() * max);
}
