interface Waiting {
  /** The monotonic time when it expires. */
  at: number;
  expire(): void;
}

/** The promises that wait for equally long, in the order in which they expire. */
interface Queue {
  waiting: Set<Waiting>;
  /** Undefined while no timer runs. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** True if the timer does not keep the process alive. */
  isIdle: boolean;
}

const RESOLVED = Promise.resolve();

const queues = new Map<number, Queue>();
/** The queues whose timers do not keep the process alive. */
const idleQueues = new Map<number, Queue>();

/**
 * Calls a function after `ms` milliseconds. All calls with the same delay share one timer.
 *
 * @returns a function that cancels the call
 *
 * @example
 * ```ts
 * const cancel = callAfter(15_000, () => controller.abort());
 * ```
 */
export function callAfter(ms: number, expire: () => void): () => void {
  const queue = queueOf(queues, ms);
  const entry = { at: performance.now() + ms, expire };
  add(queue, entry, ms);
  return () => remove(queue, entry);
}

/**
 * Calls a function after `ms` milliseconds if something else keeps the process alive for so long, such
 * as a request. It takes less time than `callAfter` where calls are mostly cancelled at once.
 *
 * @returns a function that cancels the call
 */
export function callAfterWhileAlive(ms: number, expire: () => void): () => void {
  const queue = queueOf(idleQueues, ms);
  const entry = { at: performance.now() + ms, expire };
  if (queue.timer === undefined) start(queue, ms);
  queue.waiting.add(entry);
  return () => queue.waiting.delete(entry);
}

/**
 * Rejects if a promise takes longer than `ms` milliseconds. All promises with the same limit share one timer,
 * because starting and clearing one for each takes longer than reading the body of a small request.
 *
 * @param late returns the reason for rejecting late promises
 * @param failed changes the reason of a promise that rejects itself
 *
 * @example
 * ```ts
 * const text = await withDeadline(request.text(), 30_000, () => new RequestError(408));
 * ```
 */
export function withDeadline<Result>(
  promise: Promise<Result>,
  ms: number,
  late: () => Error,
  failed: (reason: unknown) => unknown = (reason) => reason,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let settled = false;
    let cancel: (() => void) | undefined;
    const settle = () => {
      settled = true;
      cancel?.();
    };
    promise.then((result) => {
      settle();
      resolve(result);
    }, (reason) => {
      settle();
      reject(failed(reason));
    });
    // A body that arrived with the headers has been read by then, and needs no limit.
    RESOLVED.then(() => {
      if (!settled) cancel = callAfter(ms, () => reject(late()));
    });
  });
}

function queueOf(queues: Map<number, Queue>, ms: number): Queue {
  const found = queues.get(ms);
  if (found !== undefined) return found;
  const queue: Queue = { waiting: new Set(), timer: undefined, isIdle: queues === idleQueues };
  queues.set(ms, queue);
  return queue;
}

function add(queue: Queue, entry: Waiting, ms: number) {
  if (queue.timer === undefined) start(queue, ms);
  else if (queue.waiting.size === 0) Deno.refTimer(queue.timer);
  queue.waiting.add(entry);
}

/** The timer keeps running for the next promise, but does not keep the process alive for it. */
function remove({ waiting, timer }: Queue, entry: Waiting) {
  if (waiting.delete(entry) && waiting.size === 0 && timer !== undefined) Deno.unrefTimer(timer);
}

function start(queue: Queue, ms: number) {
  queue.timer = setTimeout(() => {
    queue.timer = undefined;
    const now = performance.now();
    for (const entry of queue.waiting) {
      if (entry.at > now) return start(queue, entry.at - now);
      queue.waiting.delete(entry);
      entry.expire();
    }
  }, ms);
  if (queue.isIdle) Deno.unrefTimer(queue.timer);
}
