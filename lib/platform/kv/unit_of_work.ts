/** Combines changes of several features in one commit. */
import type { Failure } from "../../base/result.ts";
import { transact } from "./transact.ts";

/**
 * A unit of work: what one commit changes. Functions that change something take it, and add their rows to its commit
 * and their later steps to its end. So a caller writes what belongs together as a list, one line for each.
 */
export interface UnitOfWork {
  /** The commit. A unit whose commit nobody has used commits nothing. */
  readonly commit: Deno.AtomicOperation;
  /** The time of the change, in milliseconds. */
  readonly now: number;
  /**
   * Adds a writer whose result nobody else needs. The commit waits for it, and it runs at the same time as what follows,
   * so that their reads take one round trip. Its failure refuses the whole unit.
   */
  add(writer: Promise<Failure | void>): void;
  /** Adds a step that is done once the commit has succeeded, after the steps before it. It must not fail. */
  after(step: () => unknown): void;
}

/**
 * Runs writers on one commit, so that everything or nothing is stored. It runs again if another writer was faster, as
 * {@link transact} does, so it must have no other effects.
 *
 * @returns what `write` has returned. Nothing is stored if that, or what a writer has returned, is a failure
 *
 * @example
 * ```ts
 * const withdrawn = await inUnit({ kv, clock }, async (unit) => {
 *   const withdrawn = await documents.write.withdraw(unit, id, { reason, by });
 *   if (withdrawn.ok) addAudit(unit.commit, entry, unit.now);
 *   return withdrawn;
 * });
 * ```
 */
export async function inUnit<Result extends object>(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  write: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result | Failure> {
  const { result, steps } = await transact<{ result: Result | Failure; steps: (() => unknown)[] }>(
    async () => {
      const writers: Promise<Failure | void>[] = [];
      const steps: (() => unknown)[] = [];
      let commit: Deno.AtomicOperation | undefined;
      try {
        const result = await write({
          get commit() {
            return commit ??= kv.atomic();
          },
          now: clock(),
          add: (writer) => {
            writer.catch(() => {}); // thrown below. Unhandled while `write` still reads, it would end the process
            writers.push(writer);
          },
          after: (step) => void steps.push(step),
        });
        const refused = isFailure(result) ? result : (await Promise.all(writers)).find(isFailure);
        if (refused !== undefined) return { result: { result: refused, steps: [] } };
        return { result: { result, steps }, commit };
      } finally {
        await Promise.allSettled(writers); // none runs longer than the attempt
      }
    },
  );
  for (const step of steps) await step();
  return result;
}

const isFailure = (result: unknown): result is Failure =>
  (result as { ok?: boolean } | undefined)?.ok === false;
