/** Limits how long requests wait for the store, and refuses calls at once while it does not respond. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Schedule, scheduleTimeout } from "../../base/schedule.ts";
import { MINUTE_MS, SECOND_MS } from "../../base/time.ts";

/** How long one call of the store may take. */
const CALL_MS = 5 * SECOND_MS;
/** How long a request may wait for the store before its response, all calls together. */
const REQUEST_MS = 10 * SECOND_MS;

/** While this many reads or writes are overdue, new ones are refused at once, except one that tries the store. */
const MOST_OVERDUE = 200;
/** The number of tries in a row that may be overdue before they become rarer. */
const FEW_TRIES = 4;
const TRY_MS = 5 * SECOND_MS;
/** How often the store is tried at least, because calls that were lost with a connection may never end. */
const SELDOM_MS = 10 * MINUTE_MS;

/**
 * Returns how long to wait after a number of tries. Deno's client repeats each call that has no response four times a
 * second until it has one, and keeps it in memory.
 */
const waitAfter = (tries: number): number =>
  tries < FEW_TRIES ? 0 : Math.min(TRY_MS * 2 ** (tries - FEW_TRIES), SELDOM_MS);

/**
 * The outcome of the writes of a caller that got no response: `unchanged` if none was sent. Otherwise the
 * outcome is `unknown`, and the last write may take effect later.
 */
export type Outcome = "unchanged" | "unknown";

/** Thrown if the store does not respond in time, or is not asked because it did not respond before. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly code = "store_unavailable";

  /** @param operation such as `get sessions` */
  constructor(readonly operation: string, readonly outcome: Outcome) {
    super(`The store did not respond in time: ${operation}.`);
  }
}

/** A call that has no result when its time is over. */
export interface Overdue {
  /** The method and the tables, such as `get sessions`, but no keys. */
  operation: string;
  /** How long the caller has waited. */
  ms: number;
  /** How many calls of its kind are overdue now. */
  overdue: number;
}

/** A call of the store. */
interface Call<Result> {
  /** Describes the call if it is overdue. */
  operation: () => string;
  writes: boolean;
  run: () => Promise<Result>;
}

/** Limits how long callers wait for a store. */
export interface Deadlines {
  /** How long one call may take. Default: 5 seconds. */
  callMs: number;
  /** How long a request may wait for the store altogether. Default: 10 seconds. */
  requestMs: number;
  /** Starts the timers; replaced in tests. */
  schedule: Schedule;
  /** Returns the monotonic time in milliseconds; replaced in tests. */
  now: () => number;
  /** Called for each overdue call, but only for the first one of a caller. */
  onOverdue: (late: Overdue) => void;
  /**
   * Runs work that may wait for the store for `ms` altogether, until it has a result. Once a call was
   * overdue, its further calls are refused.
   */
  within<Result>(ms: number, work: () => Promise<Result>): Promise<Result>;
  /** Returns what limits the running work, if anything does. Calls under one limit wait together. */
  limit(): unknown;
  /** Returns the outcome of the running work if it ends here without a response. */
  outcome(): Outcome;
  /**
   * Makes a call.
   *
   * @throws {StoreUnavailableError} if it takes too long; the call itself may still end
   */
  call<Result>(call: Call<Result>): Promise<Result>;
}

/** Creates the deadlines of a store. */
export function createDeadlines(): Deadlines {
  const budgets = new AsyncLocalStorage<Budget>();
  const kinds = { reads: new OverdueCalls(), writes: new OverdueCalls() };
  const deadlines: Deadlines = {
    callMs: CALL_MS,
    requestMs: REQUEST_MS,
    schedule: scheduleTimeout,
    now: () => performance.now(),
    onOverdue: () => {},
    async within(ms, work) {
      const budget = new Budget(ms, () => deadlines.now());
      try {
        return await budgets.run(budget, work);
      } finally {
        budget.end();
      }
    },
    limit: () => budgets.getStore(),
    outcome: () => outcomeOf(budgets.getStore()),
    call<Result>(call: Call<Result>): Promise<Result> {
      const budget = budgets.getStore();
      const others = call.writes ? kinds.writes : kinds.reads;
      const ms = Math.min(deadlines.callMs, budget?.left() ?? Infinity);
      if (ms <= 0 || !others.admits(call, deadlines.now())) {
        const outcome = outcomeOf(budget);
        const operation = call.operation();
        if (ms <= 0 && budget?.exhaust()) {
          deadlines.onOverdue({ operation, ms: budget.ms, overdue: others.size });
        }
        return Promise.reject(new StoreUnavailableError(operation, outcome));
      }
      budget?.begin(call.writes);
      return new Promise((resolve, reject) => {
        const end = (succeeded: boolean) => {
          cancel();
          budget?.finish();
          others.end(call, succeeded);
        };
        call.run().then((result) => {
          end(true);
          resolve(result);
        }, (error) => {
          end(false);
          reject(error);
        });
        const cancel = deadlines.schedule(() => {
          others.add(call, deadlines.now());
          const operation = call.operation();
          const outcome = outcomeOf(budget, call.writes);
          reject(new StoreUnavailableError(operation, outcome));
          if (budget?.exhaust() === false) return;
          deadlines.onOverdue({ operation, ms: Math.round(ms), overdue: others.size });
        }, ms);
      });
    },
  };
  return deadlines;
}

const outcomeOf = (budget: Budget | undefined, writes = false): Outcome =>
  writes || budget?.wrote ? "unknown" : "unchanged";

/** How long one caller may still wait for the store. Calls at the same time count once. */
class Budget {
  /** True after a write was sent: then nobody can say that nothing has changed. */
  wrote = false;
  #exhausted = false;
  #left: number;
  #pending = 0;
  #since = 0;
  #now: () => number;

  constructor(readonly ms: number, now: () => number) {
    this.#left = ms;
    this.#now = now;
  }

  left(): number {
    return this.#pending === 0 ? this.#left : this.#left - (this.#now() - this.#since);
  }

  begin(writes: boolean): void {
    this.wrote ||= writes;
    if (this.#pending++ === 0) this.#since = this.#now();
  }

  finish(): void {
    if (--this.#pending === 0) this.#left -= this.#now() - this.#since;
  }

  /** Refuses all further calls. Returns false if they were refused already. */
  exhaust(): boolean {
    if (this.#left === Infinity) return true;
    this.#left = 0;
    const first = !this.#exhausted;
    this.#exhausted = true;
    return first;
  }

  /** Lifts the limit for what continues after the response, such as a stream. */
  end(): void {
    this.#left = Infinity;
  }
}

/**
 * The overdue calls of one kind, whose number is limited because they cannot be cancelled. They end when the store
 * responds, unless they were lost with a connection.
 */
class OverdueCalls {
  #calls = new Set<unknown>();
  /** The only call that is made while there are too many. */
  #try: unknown = null;
  /** How many of those in a row were overdue, and when the next one may be made. */
  #tries = 0;
  #nextAt = 0;

  get size(): number {
    return this.#calls.size;
  }

  admits(call: unknown, now: number): boolean {
    if (this.#calls.size < MOST_OVERDUE) {
      this.#tries = 0;
      return true;
    }
    if (this.#try !== null || this.#tries > 0 && now < this.#nextAt) return false;
    this.#try = call;
    return true;
  }

  add(call: unknown, now: number): void {
    this.#calls.add(call);
    if (this.#try !== call) return;
    this.#try = null;
    this.#nextAt = now + waitAfter(++this.#tries);
  }

  end(call: unknown, succeeded: boolean): void {
    this.#calls.delete(call);
    if (this.#try !== call) return;
    this.#try = null;
    // The store responds again. Calls that were lost with a connection may never end.
    if (succeeded) this.#calls.clear();
  }
}
