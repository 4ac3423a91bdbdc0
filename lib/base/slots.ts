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
