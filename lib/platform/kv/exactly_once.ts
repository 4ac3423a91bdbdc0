import { z } from "zod";
import { DAY_MS } from "../../base/time.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { EXPIRING, isoAfter } from "./expiry.ts";
import { defineTable } from "./table.ts";
import { expires } from "./table_description.ts";
import { brokeOff, type TimedKv } from "./timed_kv.ts";

/** The most checks of a commit. Self-hosted servers accept 10, and one is for the commit's id. */
const MOST_CHECKS = 9;

/** Thrown for a commit that a remote store would refuse. It is thrown for every store, so tests find it. */
export class TooManyChecksError extends TypeError {
  override name = "TooManyChecksError";
  readonly code = "too_many_checks";
}

/**
 * @param reserved the number of checks that are kept free for the store's own
 * @throws {TooManyChecksError} if a commit checks more keys than a remote store accepts
 */
export function limitChecks(checks: readonly Deno.AtomicCheck[], reserved = 0): void {
  const most = MOST_CHECKS - reserved;
  if (checks.length <= most) return;
  const tables = checks.map(({ key }) => String(key[0])).sort();
  throw new TooManyChecksError(`Too many checks (max ${most}): ${tables.join(", ")}`);
}

const commitRow = z.strictObject({ outcome: z.enum(["committed", "abandoned"]), ...EXPIRING });

type CommitRow = z.infer<typeof commitRow>;

/**
 * How commits on remote stores ended. Only `commitOnce` uses these rows, each only for the few seconds in
 * which the client may repeat its commit. They are not exported.
 */
export const commitTable = defineTable({
  prefix: "commits",
  value: commitRow,
  key: ["id"],
  owner: "nobody",
  lifetime: expires("1 day, only on stores reached over a network"),
  per: "commit",
});

/**
 * Commits an operation that takes effect at most once, and returns whether it did. Deno's client silently
 * repeats a commit whose response was lost. Then a sum would count twice, a bare `set` could overwrite
 * newer data, and a check would fail although the first attempt was committed.
 *
 * So the operation also writes a row with an id of its own, which must be absent. If the commit fails, or
 * its response breaks off, the id is marked as abandoned. If that succeeds, no attempt has been
 * committed, and one that is still on its way never will be. Otherwise the row says what happened.
 *
 * @param commit commits the operation
 * @param checks the operation's own checks
 * @throws {StoreUnavailableError} if the store does not respond in time
 */
export async function commitOnce(
  store: Pick<TimedKv, "get" | "atomic" | "commit">,
  operation: Deno.AtomicOperation,
  commit: Deno.AtomicOperation["commit"],
  checks: readonly Deno.AtomicCheck[],
): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
  const key = commitTable.key(crypto.randomUUID());
  claim(operation, key, "committed");
  const attempt: TimedKv["commit"] = (...args) => store.commit(...args).catch(failedIfBroken);
  const result = await attempt(commit, checks);
  if (result.ok) return result;
  try {
    const abandoned = claim(store.atomic(), key, "abandoned");
    if ((await attempt(() => abandoned.commit(), [{ key, versionstamp: null }])).ok) {
      return result;
    }
    // The response to either commit was lost.
    const { value, versionstamp } = await store.get<CommitRow>(key);
    return value?.outcome === "committed" ? { ok: true, versionstamp: versionstamp! } : result;
  } catch (error) {
    throw error instanceof StoreUnavailableError
      ? new StoreUnavailableError(error.operation, "unknown")
      : error;
  }
}

/** Treats a commit as failed if its response broke off. */
function failedIfBroken(error: unknown): Deno.KvCommitError {
  if (!brokeOff(error)) throw error;
  return { ok: false };
}

/** Adds the row of a commit's id, which must be absent. */
const claim = (operation: Deno.AtomicOperation, key: Deno.KvKey, outcome: CommitRow["outcome"]) =>
  operation.check({ key, versionstamp: null })
    .set(key, { outcome, expires_at: isoAfter(Date.now(), DAY_MS) }, { expireIn: DAY_MS });
