/** Queues in memory that run steps one after another, so that they do not conflict over one key. */
import { isUnusable } from "./refusal.ts";
import { KvBusyError } from "./transact.ts";

/** Runs a step after all steps that were added before it. */
export type Queue = <Result>(step: () => Promise<Result>) => Promise<Result>;

/** Runs a step after all steps that were added before it under the same key. */
export type KeyedQueue = <Result>(key: string, step: () => Promise<Result>) => Promise<Result>;

/** Half the time that `transact` spends on retries. */
const MAX_WAIT_MS = 2_500;

/**
 * Creates a queue for steps that all write the same key, such as the head of a chain. Without a queue, such
 * steps would commit at the same time, all but one would fail, and hundreds of them would spend their
 * time retrying. The queue only saves work: other processes write too, so `transact` still has to
 * check.
 *
 * When a step fails because the store is busy or does not respond, the steps that have waited behind it
 * for a long time fail too. Otherwise each of them would retry for as long, and the last would wait for
 * all of them.
 *
 * @param clock a monotonic clock, in milliseconds
 */
export function createQueue(clock: () => number = () => performance.now()): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const addedAt = clock();
    const current = last.then(step, (error) => {
      const failsAgain = error instanceof KvBusyError || isUnusable(error);
      if (failsAgain && clock() - addedAt >= MAX_WAIT_MS) throw error;
      return step();
    });
    last = current;
    return current;
  };
}

/**
 * Creates a queue per key. Steps of different keys run concurrently. A queue is kept only while it
 * has steps, so the number of keys is unlimited.
 */
export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, { enqueue: Queue; pending: number }>();
  return async (key, step) => {
    const queue = queues.get(key) ?? { enqueue: createQueue(), pending: 0 };
    queues.set(key, queue);
    queue.pending++;
    try {
      return await queue.enqueue(step);
    } finally {
      queue.pending--;
      if (queue.pending === 0) queues.delete(key);
    }
  };
}
