import { createLane, type Lane } from "../../kv/mod.ts";

/** Does a step once those of the same key that came before it are done; other keys go on beside. */
export type Lanes = <Result>(key: string, step: () => Promise<Result>) => Promise<Result>;

/**
 * A lane for each key, for steps that write what belongs to it. A lane is there only while somebody
 * is in it, so there may be any number of keys.
 *
 * @example
 * ```ts
 * const inTurn = createLanes();
 * await inTurn(hash, () => transact(attempt));
 * ```
 */
export function createLanes(): Lanes {
  const lanes = new Map<string, { lane: Lane; inside: number }>();
  return async (key, step) => {
    const mine = lanes.get(key) ?? { lane: createLane(), inside: 0 };
    lanes.set(key, mine);
    mine.inside++;
    try {
      return await mine.lane(step);
    } finally {
      mine.inside--;
      if (mine.inside === 0) lanes.delete(key);
    }
  };
}
