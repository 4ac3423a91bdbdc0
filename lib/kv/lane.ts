/** Does one step after another, in the order in which they came. */
export type Lane = <Result>(step: () => Promise<Result>) => Promise<Result>;

/**
 * A lane for steps that all write the same key, such as a counter of ids. Without one they commit
 * at the same time, all but one fail, and hundreds of them spend their time trying again. The
 * checks of `transact` are still what keeps them right, for other processes write too.
 *
 * @example
 * ```ts
 * const inTurn = createLane();
 * await inTurn(() => transact(attempt));
 * ```
 */
export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const mine = last.then(step);
    last = mine.catch(() => {});
    return mine;
  };
}
