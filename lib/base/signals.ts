/**
 * Returns a signal that aborts with the first of others, as `AbortSignal.any` does, which browsers lack before Chrome
 * 116, Safari 17.4 and Firefox 124. Code that also runs in browsers uses this.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if ("any" in AbortSignal) return AbortSignal.any([...signals]);
  const first = new AbortController();
  for (const signal of signals) {
    const abort = () => first.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { signal: first.signal });
  }
  return first.signal;
}
