/** Limits how many steps run concurrently. */
export interface Slots {
  /** Runs a step as soon as a slot is free. */
  run<Result>(step: () => Promise<Result>): Promise<Result>;
  /** Resolves when no step is running or waiting. */
  idle(): Promise<void>;
}

/**
 * Creates the given number of slots.
 *
 * @example
 * ```ts
 * const slots = createSlots(8);
 * await Promise.all(urls.map((url) => slots.run(() => fetch(url))));
 * ```
 */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  const steps = new Set<Promise<unknown>>();
  let free = count;

  async function runInSlot<Result>(step: () => Promise<Result>): Promise<Result> {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await step();
    } finally {
      const next = waiting.shift(); // takes over the slot
      if (next === undefined) free++;
      else next();
    }
  }

  return {
    run(step) {
      const run = runInSlot(step);
      const settled = run.then(() => {}, () => {}).finally(() => steps.delete(settled));
      steps.add(settled);
      return run;
    },
    async idle() {
      while (steps.size > 0) await Promise.all(steps);
    },
  };
}
