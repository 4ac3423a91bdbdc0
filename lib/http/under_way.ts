/** The answers that are still being sent: what a stop waits for. */
export interface UnderWay {
  /** @param completed settles when an answer was sent to its end, or broke off */
  add(completed: Promise<unknown>): void;
  /** Resolves when none is left, after `limitMs` milliseconds at the latest. */
  settled(limitMs: number): Promise<void>;
}

/**
 * Keeps count of the answers under way.
 *
 * @example
 * ```ts
 * const underWay = createUnderWay();
 * Deno.serve((req, info) => {
 *   underWay.add(info.completed);
 *   return answer(req);
 * });
 * await underWay.settled(10_000);
 * ```
 */
export function createUnderWay(): UnderWay {
  let count = 0;
  let done = Promise.withResolvers<void>();
  done.resolve();
  const end = () => {
    if (--count === 0) done.resolve();
  };
  return {
    add(completed) {
      if (count++ === 0) done = Promise.withResolvers();
      completed.then(end, end);
    },
    async settled(limitMs) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, limitMs));
      await Promise.race([done.promise, limit]);
      clearTimeout(timer);
    },
  };
}
