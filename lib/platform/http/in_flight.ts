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
  // Every request is counted, but only the few that are excluded are stored.
  let size = 0;
  const excluded = new Set<Promise<unknown>>();
  /** Null unless someone waits, because most requests end without anyone waiting. */
  let idle: PromiseWithResolvers<void> | null = null;
  function remove() {
    size--;
    if (idle === null || size > 0) return;
    idle.resolve();
    idle = null;
  }
  return {
    get size() {
      return size;
    },
    add(completed) {
      size++;
      const end = () => {
        if (excluded.size === 0 || !excluded.delete(completed)) remove();
      };
      completed.then(end, end);
    },
    exclude(completed) {
      if (excluded.has(completed)) return;
      excluded.add(completed);
      remove();
    },
    async settled(timeoutMs) {
      if (size === 0) return;
      idle ??= Promise.withResolvers();
      await inTime(idle.promise, timeoutMs);
    },
  };
}
