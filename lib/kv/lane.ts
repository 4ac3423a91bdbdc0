import { KvBusyError } from "./transact.ts";

/** Does one step after another, in the order in which they came. */
export type Lane = <Result>(step: () => Promise<Result>) => Promise<Result>;

/** Half the time that `transact` tries. */
const PATIENCE_MS = 2_500;

/**
 * A lane for steps that all write the same key, such as a counter of ids. Without one they commit
 * at the same time, all but one fail, and hundreds of them spend their time trying again. The
 * checks of `transact` are still what keeps them right, for other processes write too.
 *
 * Where the store was too busy for a step, those that have long stood behind it fail with it: each
 * would try as long in its turn, and the last would wait for all of them.
 *
 * @param clock in milliseconds, from any beginning; it only goes forward
 *
 * @example
 * ```ts
 * const inTurn = createLane();
 * await inTurn(() => transact(attempt));
 * ```
 */
export function createLane(clock: () => number = () => performance.now()): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const came = clock();
    const mine = last.then(step, (error) => {
      if (error instanceof KvBusyError && clock() - came >= PATIENCE_MS) throw error;
      return step();
    });
    last = mine;
    return mine;
  };
}
