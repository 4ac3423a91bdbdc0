import { type CheckpointRow, logCheckpoints } from "./tables.ts";

/** The most combinations that are looked up. There are few, because witnesses rarely fail. */
const MOST_TRIED = 32;
/** The most checkpoints that are returned. */
const MOST = 8;

/** The prefix of the index of the sizes that the same witnesses have countersigned. */
const [, COMBINATIONS] = logCheckpoints.indexes;

/**
 * Returns the newest checkpoint of each combination of witnesses that have countersigned one, the largest first.
 * Whatever a reader's policy needs, the newest one that satisfies it is among them. One is left out if a larger one
 * has all of its witnesses.
 */
export async function newestOfCombinations(kv: Deno.Kv): Promise<CheckpointRow[]> {
  const sizes: number[] = [];
  let end: Deno.KvKey | undefined;
  while (sizes.length < MOST_TRIED) {
    const selector = { prefix: [COMBINATIONS], ...end && { end } };
    const [last] = await Array.fromAsync(kv.list(selector, { limit: 1, reverse: true }));
    if (last === undefined) break;
    sizes.push(Number(last.key[2]));
    end = last.key.slice(0, 2);
  }
  sizes.sort((a, b) => b - a);
  const found: CheckpointRow[] = [];
  for (
    const { value: row } of await Promise.all(sizes.map((size) => logCheckpoints.get(kv, size)))
  ) {
    const isCovered = found.some(({ cosigned }) =>
      row!.cosigned.every((key) => cosigned.includes(key))
    );
    if (!isCovered) found.push(row!);
  }
  return found.slice(0, MOST);
}
