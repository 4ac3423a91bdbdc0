/** Prevents a commit over a network from taking effect twice when its response is lost. */
import { z } from "zod";
import { DAY_MS } from "../../base/time.ts";
import { StoreUnavailableError } from "./deadlines.ts";
import { EXPIRING, isoAfter } from "./expiry.ts";
import { isOutdated, type Proof } from "./identity.ts";
import { defineTable } from "./table.ts";
import { expires } from "./table_description.ts";
import { brokeOff, type TimedKv } from "./timed_kv.ts";

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
 * @param proof makes both commits fail in another store than the process started with
 * @throws {StoreUnavailableError} if the store does not respond in time, or is another one
 */
export async function commitOnce(
  store: Pick<TimedKv, "getMany" | "atomic" | "commit">,
  operation: Deno.AtomicOperation,
  commit: Deno.AtomicOperation["commit"],
  checks: readonly Deno.AtomicCheck[],
  proof: Proof | null = null,
): Promise<Deno.KvCommitResult | Deno.KvCommitError | Outdated> {
  const key = commitTable.key(crypto.randomUUID());
  claim(operation, key, "committed");
  const attempt: TimedKv["commit"] = (...args) => store.commit(...args).catch(failedIfBroken);
  const result = await attempt(commit, checks);
  if (result.ok) return result;
  try {
    for (let row = proof?.row;;) {
      const abandoned = claim(store.atomic(), key, "abandoned");
      if (row !== undefined) abandoned.check(row);
      if ((await attempt(() => abandoned.commit(), [{ key, versionstamp: null }])).ok) {
        return row === proof?.row ? result : OUTDATED;
      }
      // The response to either commit was lost, or this is not the row of the proof any more.
      const [{ value, versionstamp }, found] = await store.getMany<[CommitRow, unknown]>([
        key,
        proof?.row.key ?? key,
      ]);
      if (value?.outcome === "committed") return { ok: true, versionstamp: versionstamp! };
      if (value !== null || proof === null || !isOutdated({ ...proof, row: row! }, found)) {
        return row === proof?.row ? result : OUTDATED;
      }
      row = found;
    }
  } catch (error) {
    throw error instanceof StoreUnavailableError
      ? new StoreUnavailableError(error.operation, "unknown")
      : error;
  }
}

/** The result of a commit that failed because the row of its proof has changed. */
interface Outdated extends Deno.KvCommitError {
  outdated: true;
}

const OUTDATED: Outdated = { ok: false, outdated: true };

/** Treats a commit as failed if its response broke off. */
function failedIfBroken(error: unknown): Deno.KvCommitError {
  if (!brokeOff(error)) throw error;
  return { ok: false };
}

/** Adds the row of a commit's id, which must be absent. */
const claim = (operation: Deno.AtomicOperation, key: Deno.KvKey, outcome: CommitRow["outcome"]) =>
  operation.check({ key, versionstamp: null })
    .set(key, { outcome, expires_at: isoAfter(Date.now(), DAY_MS) }, { expireIn: DAY_MS });
