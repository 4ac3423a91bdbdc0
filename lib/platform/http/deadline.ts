interface Waiting {
  /** The monotonic time when it expires. */
  at: number;
  /** Undefined after it has left the queue. */
  expire: (() => void) | undefined;
  previous: Waiting | undefined;
  next: Waiting | undefined;
}

/**
 * The promises that wait for equally long, in the order in which they expire. They are a linked list,
 * because a `Set` copies its table after every few additions and V8 promotes all that the old tables
 * refer to, for example whole requests. Entries that leave are cleared for the same reason.
 */
interface Queue {
  first: Waiting | undefined;
  last: Waiting | undefined;
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
  if (queue.timer !== undefined && queue.first === undefined) Deno.refTimer(queue.timer);
  const entry = add(queue, ms, expire);
  return () => {
    remove(queue, entry);
    // The timer keeps running for the next promise, but does not keep the process alive for it.
    if (queue.first === undefined && queue.timer !== undefined) Deno.unrefTimer(queue.timer);
  };
}

/**
 * Calls a function after `ms` milliseconds if something else keeps the process alive for so long, such
 * as a request. It takes less time than `callAfter` where calls are mostly cancelled at once.
 *
 * @returns a function that cancels the call
 */
export function callAfterWhileAlive(ms: number, expire: () => void): () => void {
  const queue = queueOf(idleQueues, ms);
  const entry = add(queue, ms, expire);
  return () => remove(queue, entry);
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
  let settled: "resolved" | "rejected" | undefined;
  let result: Result;
  let reason: unknown;
  const ended = promise.then((value) => {
    settled = "resolved";
    result = value;
  }, (error) => {
    settled = "rejected";
    reason = failed(error);
  });
  const outcome = () => {
    if (settled === "rejected") throw reason;
    return result;
  };
  // A body that arrived with the headers has been read by then, and needs no limit.
  return RESOLVED.then(() => {
    if (settled !== undefined) return outcome();
    return new Promise<Result>((resolve, reject) => {
      const cancel = callAfter(ms, () => reject(late()));
      ended.then(cancel).then(outcome).then(resolve, reject);
    });
  });
}

function queueOf(queues: Map<number, Queue>, ms: number): Queue {
  const found = queues.get(ms);
  if (found !== undefined) return found;
  const queue: Queue = {
    first: undefined,
    last: undefined,
    timer: undefined,
    isIdle: queues === idleQueues,
  };
  queues.set(ms, queue);
  return queue;
}

function add(queue: Queue, ms: number, expire: () => void): Waiting {
  const { last } = queue;
  const at = performance.now() + ms;
  const entry: Waiting = { at, expire, previous: last, next: undefined };
  if (last === undefined) queue.first = entry;
  else last.next = entry;
  queue.last = entry;
  if (queue.timer === undefined) start(queue, ms);
  return entry;
}

function remove(queue: Queue, entry: Waiting) {
  if (entry.expire === undefined) return;
  const { previous, next } = entry;
  if (previous === undefined) queue.first = next;
  else previous.next = next;
  if (next === undefined) queue.last = previous;
  else next.previous = previous;
  entry.expire = entry.previous = entry.next = undefined;
}

function start(queue: Queue, ms: number) {
  queue.timer = setTimeout(() => {
    queue.timer = undefined;
    const now = performance.now();
    for (let entry = queue.first; entry !== undefined; entry = queue.first) {
      if (entry.at > now) return start(queue, entry.at - now);
      const { expire } = entry;
      remove(queue, entry);
      expire?.();
    }
  }, ms);
  if (queue.isIdle) Deno.unrefTimer(queue.timer);
}
