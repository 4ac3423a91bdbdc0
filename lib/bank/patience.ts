/** How long a page waits for the bank before it is shown without the rest. */
export const PATIENCE_MS = 1_200;

/**
 * Returns the signal that ends a page's wait for the bank, or undefined with the query parameter
 * `wait`: such a page waits as long as the client's timeout.
 */
export const patienceFor = ({ searchParams }: URL): AbortSignal | undefined =>
  searchParams.has("wait") ? undefined : AbortSignal.timeout(PATIENCE_MS);

/** Returns the result of a promise, or a substitute if the signal aborts first. */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  promise: Promise<Result>,
  substitute: () => Result | Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return await promise;
  const aborted = Promise.withResolvers<Result>();
  const abort = () => aborted.resolve(substitute());
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener("abort", abort)
  );
}
