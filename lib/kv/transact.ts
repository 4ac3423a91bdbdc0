/** What one try comes to: a result, and the writes that it depends on, if any. */
export interface Attempt<Result> {
  result: Result;
  /** Checks and writes of which all take effect or none; the result holds only if they do. */
  commit?: Deno.AtomicOperation;
}

/** Thrown where others wrote between reading and committing, at every one of many tries. */
export class KvBusyError extends Error {
  readonly code = "kv_busy";

  constructor(tries: number) {
    super(`The store was too busy for a change, ${tries} times in a row.`);
    this.name = "KvBusyError";
  }
}

/** Some five seconds on average, in which many writers of one key get their turn. */
const TRIES = 100;
const LONGEST_PAUSE_MS = 100;

/**
 * Reads, decides and writes as one step. `attempt` reads what it needs and says what to write,
 * under checks of what it has read; where another writer was faster, it is asked again. So it may
 * run many times, and must do nothing else than read.
 *
 * Also asked again is what another process held up: SQLite then throws `TypeError: database is
 * locked`, and nothing was written.
 *
 * @param tries how many at most
 * @returns the result of the try whose commit held
 * @throws {KvBusyError} (rejects) after the last
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
  tries: number = TRIES,
): Promise<Result> {
  return (await retry(tries, async () => {
    const { result, commit } = await attempt();
    if (commit !== undefined && !(await commit.commit()).ok) return undefined;
    return { result };
  })).result;
}

/**
 * Does what may find the file locked by another process, again and again until it is not: for a
 * write that depends on nothing read, and for opening.
 *
 * @throws {KvBusyError} (rejects) after 100 tries
 */
export async function whenUnlocked<Result>(step: () => Promise<Result>): Promise<Result> {
  return (await retry(TRIES, async () => ({ result: await step() }))).result;
}

/** Does a step until it comes to something. */
async function retry<Result>(
  tries: number,
  step: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let i = 1; i <= tries; i++) {
    try {
      const result = await step();
      if (result !== undefined) return result;
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    await pause(i);
  }
  throw new KvBusyError(tries);
}

const isLocked = (error: unknown) =>
  error instanceof TypeError && error.message.includes("database is locked");

/** Longer with each try, and never the same for two, so that they don't meet again. */
function pause(i: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, 2 ** i);
  return new Promise((done) => setTimeout(done, Math.random() * longest));
}
