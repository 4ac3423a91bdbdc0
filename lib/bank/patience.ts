/** How long a page waits for the bank before it is shown without the rest. */
export const PATIENCE_MS = 1_200;

/**
 * Reads a page's data with the signal that ends its wait for the bank. With the query parameter
 * `wait` there is none: such a page waits as long as the client's timeout.
 */
export async function withPatience<Result>(
  { searchParams }: URL,
  read: (patience: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  if (searchParams.has("wait")) return await read(undefined);
  // Unlike `AbortSignal.timeout`, it can be cancelled.
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    return await read(patience.signal);
  } finally {
    clearTimeout(timer);
  }
}

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
