import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const TYPING_DELAY_MS = 120;

export interface Search<T> {
  /** The latest results, which stay until the next ones arrive. */
  results: ReadonlySignal<T>;
  busy: ReadonlySignal<boolean>;
  /** Why the latest search failed, or null. */
  error: ReadonlySignal<unknown>;
  /**
   * Aborts the search before it, and starts another one.
   *
   * @param load reads the results, and rejects if that fails
   * @param typing waits for a moment, because somebody is typing
   */
  search(load: (signal: AbortSignal) => Promise<T>, typing?: boolean): Promise<void>;
  /** Aborts the search, and shows results that need none. */
  show(results: T): void;
}

/** Searches while somebody types, and keeps the latest results. */
export function useSearch<T>(initial: T): Search<T> {
  const results = useSignal(initial);
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);
  const end = (failure: unknown) => {
    busy.value = false;
    error.value = failure;
  };
  return {
    results,
    busy,
    error,
    async search(load, typing = false) {
      running.current?.abort();
      const { signal } = running.current = new AbortController();
      busy.value = true;
      error.value = null;
      try {
        if (typing) await delay(signal);
        const found = await load(signal);
        signal.throwIfAborted();
        results.value = found;
        end(null);
      } catch (reason) {
        if (!signal.aborted) end(reason);
      }
    },
    show(known) {
      running.current?.abort();
      results.value = known;
      end(null);
    },
  };
}

function delay(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, TYPING_DELAY_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
