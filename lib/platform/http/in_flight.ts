/** Counts the requests that are still being answered, so that a shutdown can wait for them. */
import { inTime } from "../../base/in_time.ts";

/** The requests whose responses have not been sent completely. */
export interface InFlight {
  readonly size: number;
  /** @param completed settles when the response has been sent, or has failed */
  add(completed: Promise<unknown>): void;
  /** Stops waiting for a response, such as an open stream, which the service ends itself. */
  exclude(completed: Promise<unknown>): void;
  /** Resolves when no request is in flight, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  // Numbers, because a set of all requests would keep them in memory for longer.
  let open = 0;
  let excluded = 0;
  /** Null unless someone waits, because most requests end without anyone waiting. */
  let idle: PromiseWithResolvers<void> | null = null;
  const size = () => open - excluded;
  function wake() {
    if (idle === null || size() > 0) return;
    idle.resolve();
    idle = null;
  }
  function end() {
    open--;
    // If the response was excluded, `endExclusion` must run before `wake`.
    if (idle !== null) queueMicrotask(wake);
  }
  function endExclusion() {
    excluded--;
  }
  return {
    get size() {
      return size();
    },
    add(completed) {
      open++;
      completed.then(end, end);
    },
    exclude(completed) {
      excluded++;
      completed.then(endExclusion, endExclusion);
      wake();
    },
    async settled(timeoutMs) {
      if (size() === 0) return;
      idle ??= Promise.withResolvers();
      await inTime(idle.promise, timeoutMs);
    },
  };
}
