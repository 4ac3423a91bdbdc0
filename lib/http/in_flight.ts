import { inTime } from "../in_time.ts";

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
  const open = new Set<Promise<unknown>>();
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const end = (completed: Promise<unknown>) => {
    if (open.delete(completed) && open.size === 0) idle.resolve();
  };
  return {
    get size() {
      return open.size;
    },
    add(completed) {
      if (open.size === 0) idle = Promise.withResolvers();
      open.add(completed);
      completed.then(() => end(completed), () => end(completed));
    },
    exclude: end,
    async settled(timeoutMs) {
      await inTime(idle.promise, timeoutMs);
    },
  };
}
