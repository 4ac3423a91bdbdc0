/** The requests whose responses have not been sent completely. */
export interface InFlight {
  /** @param completed settles when the response has been sent, or has failed */
  add(completed: Promise<unknown>): void;
  /** Resolves when no request is in flight, or after `timeoutMs`. */
  settled(timeoutMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();
  const end = () => {
    if (--count === 0) idle.resolve();
  };
  return {
    add(completed) {
      if (count++ === 0) idle = Promise.withResolvers();
      completed.then(end, end);
    },
    async settled(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<void>((resolve) => timer = setTimeout(resolve, timeoutMs));
      await Promise.race([idle.promise, timeout]);
      clearTimeout(timer);
    },
  };
}
