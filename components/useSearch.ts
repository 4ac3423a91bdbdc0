/** The hook for searches while somebody types, with delay, abort and errors. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

const TYPING_DELAY_MS = 120;

export type Search<T> = ReturnType<typeof useSearch<T>>;

/** Searches while somebody types. The latest results stay until the next ones arrive. */
export function useSearch<T>(initial: T) {
  const results = useSignal(initial);
  const busy = useSignal(false);
  /** Why the latest search failed, or null. */
  const error = useSignal<unknown>(null);
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);
  const end = (failure: unknown) => {
    busy.value = false;
    error.value = failure;
  };
  /** Aborts the search before it, and starts another one; a moment later if somebody is typing. */
  const search = async (load: (signal: AbortSignal) => Promise<T>, typing: boolean) => {
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
  };
  /** Aborts the search, and shows results that need none. */
  const show = (known: T) => {
    running.current?.abort();
    results.value = known;
    end(null);
  };
  return { results, busy, error, search, show };
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
