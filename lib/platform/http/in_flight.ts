import { inTime } from "../../base/in_time.ts";

/** The requests whose responses have not been sent completely. */
export interface InFlight {
  readonly size: number;
  /** @param completed settles when the response has been sent, or has failed */
  add(completed: Promise<unknown>): void;
  /** Like `add`, for a response that is never excluded, and is added once. It takes less time. */
  count(completed: Promise<unknown>): void;
  /** Stops waiting for a response, such as an open stream, which the service ends itself. */
  exclude(completed: Promise<unknown>): void;
  /** Resolves when no request is in flight, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  const open = new Set<Promise<unknown>>();
  let counted = 0;
  /** Null unless someone waits, because most requests end without anyone waiting. */
  let idle: PromiseWithResolvers<void> | null = null;
  const size = () => open.size + counted;
  function wake() {
    if (idle === null || size() > 0) return;
    idle.resolve();
    idle = null;
  }
  function end(completed: Promise<unknown>) {
    if (open.delete(completed)) wake();
  }
  function endCounted() {
    counted--;
    wake();
  }
  return {
    get size() {
      return size();
    },
    add(completed) {
      open.add(completed);
      const ended = () => end(completed);
      completed.then(ended, ended);
    },
    count(completed) {
      counted++;
      completed.then(endCounted, endCounted);
    },
    exclude: end,
    async settled(timeoutMs) {
      if (size() === 0) return;
      idle ??= Promise.withResolvers();
      await inTime(idle.promise, timeoutMs);
    },
  };
}
