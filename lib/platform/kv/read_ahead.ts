/**
 * Starts a read at once, for the first attempt of a transaction, so that it takes place at the same time
 * as the transaction's other reads. Later attempts read again. What was read must be checked by the
 * commit.
 *
 * @example
 * ```ts
 * const read = readAhead(() => contacts.get(kv, hash));
 * await chains.append(hash, "email_confirmed", async (commit) => {
 *   commit.check(await read());
 * });
 * ```
 */
export function readAhead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let first: Promise<Result> | undefined = read();
  first.catch(() => {}); // the transaction may end before it needs the result
  return () => {
    const result = first ?? read();
    first = undefined;
    return result;
  };
}
