import { currentScope, inScope, Scope } from "./scope.ts";

/**
 * Starts a read at once, for the first attempt of a transaction, so that it takes place at the same time
 * as the transaction's other reads. Later attempts read again. What was read must be checked by the
 * commit.
 *
 * @param read called with the number of the attempt, from 1
 *
 * @example
 * ```ts
 * const read = readAhead(() => contacts.get(kv, hash));
 * await chains.append(hash, "email_confirmed", async (commit) => {
 *   commit.check(await read());
 * });
 * ```
 */
export function readAhead<Result>(
  read: (attempt: number) => Promise<Result>,
): () => Promise<Result> {
  const scope = new Scope();
  const first = inScope(scope, () => read(1));
  first.catch(() => {}); // the transaction may end before it needs the result
  let attempt = 0;
  return () => {
    if (++attempt > 1) return read(attempt);
    currentScope()?.joined.push(scope);
    return first;
  };
}
