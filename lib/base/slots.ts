/** Limits how many steps run concurrently. */
export interface Slots {
  /** Runs a step as soon as a slot is free. */
  run<Result>(step: () => Promise<Result>): Promise<Result>;
}

/** Creates the given number of slots. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return {
    async run(step) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await step();
      } finally {
        const next = waiting.shift(); // takes over the slot
        if (next === undefined) free++;
        else next();
      }
    },
  };
}

/** How many steps {@link eachOf} runs concurrently. */
const AT_A_TIME = 20;

/**
 * Runs a step for each item, some of them concurrently. Use it for work on rows that do not depend on
 * each other, because on a store over a network each one takes a round trip. After a failure, no more
 * steps begin, and it rejects once the others have ended.
 */
export async function eachOf<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  step: (item: Item) => Promise<unknown>,
): Promise<void> {
  // A generator gives each item to one of the loops, and ends for all of them.
  const queue = (async function* () {
    yield* items;
  })();
  const loops = Array.from({ length: AT_A_TIME }, async () => {
    for await (const item of queue) await step(item);
  });
  await Promise.allSettled(loops);
  await Promise.all(loops);
}
