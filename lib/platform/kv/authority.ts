/** Makes the commits of a request hold only while its sender may still do what they do. */
import { AsyncLocalStorage } from "node:async_hooks";
import { SECOND_MS } from "../../base/time.ts";
import { hasSameKey } from "./keys.ts";
import { apart } from "./scope.ts";
import { KvBusyError } from "./transact.ts";

/** The rows and the time that an authority rests on, as they were read. */
export interface Grounds {
  /** The rows that give it, at most two. Something else has changed if one of them has another version. */
  rows: readonly Deno.AtomicCheck[];
  /** When it ends by itself, in milliseconds since 1970; `Infinity` if it does not. */
  until: number;
}

/** An authority that a request demands of its sender. It can be asked for again. */
export interface Demand {
  /**
   * Returns what the authority rests on, from what was read last.
   *
   * @throws {Error} the response to a sender who does not have it, with the status 401 or 403
   */
  ask(): Grounds;
  /** Reads again what `ask` looks at. Demands that share the function share the read. */
  read(): Promise<void>;
}

/** The commit of an actor, which can be attempted again with other checks. */
interface Attempts {
  checks: readonly Deno.AtomicCheck[];
  /** Returns what the commit does to a row; null if nothing. */
  changeOf(key: Deno.KvKey): "set" | "deleted" | null;
  attempt(checks: readonly Deno.AtomicCheck[]): Promise<Result>;
}

type Result = Deno.KvCommitResult | Deno.KvCommitError;

/** A body that takes longer than this is slow. */
const SLOW_MS = SECOND_MS;

/** A commit that fails as often as this because of its authority gives up. Authorities change seldom. */
const ATTEMPTS = 5;

/** Reads run at the same time, so the last key alone may not be the one that matters. */
const LAST_READ = 3;

const actors = new AsyncLocalStorage<Actor | undefined>();

/**
 * The sender of a request, for whom the running code acts. Handlers demand an authority of it, and then
 * every commit that is made for the request holds only while that authority is in force.
 */
export class Actor {
  #demands: Demand[] = [];
  #grounds: Grounds = { rows: [], until: Infinity };
  /** Functions that have read something about the sender, which a handler may demand later. */
  #reads: Demand["read"][] = [];
  /** True once a commit of the request has itself ended the authority, such as signing out. Nothing is checked then. */
  #released = false;
  /** Attempts under way that would end the authority. */
  readonly #endings = new Set<Promise<Result>>();
  #answered = false;
  #read: Deno.KvKey[] = [];

  /**
   * It has only the id of the request. Deno keeps what the storage contains until the next collection, so all that
   * an actor refers to outlives the request, is copied then, and makes the collection take longer.
   *
   * @param store identifies the store whose commits are checked
   * @param clock returns milliseconds since 1970
   */
  constructor(
    readonly requestId: string | undefined,
    readonly store: object | null = null,
    readonly clock: () => number = Date.now,
  ) {}

  /** Notes the keys of rows that are read for the request. */
  noteRead(keys: readonly Deno.KvKey[]): void {
    this.#read = [...this.#read, ...keys].slice(-LAST_READ);
  }

  /** The keys that were read last, by which the row is found that made a request fail. */
  get lastRead(): readonly Deno.KvKey[] {
    return this.#read;
  }

  /** True if the request demanded an authority. */
  get isLimited(): boolean {
    return this.#demands.length > 0 && !this.#released;
  }

  /** True once the request has its response. Work that continues is meant to act as the site. */
  get isAnswered(): boolean {
    return this.#answered;
  }

  /**
   * Demands an authority for the rest of the request.
   *
   * @throws {Error} as {@link Demand.ask}
   */
  demand(demand: Demand): void {
    const { rows, until } = demand.ask();
    if (this.#released) return;
    this.#demands.push(demand);
    this.#grounds = join([this.#grounds, { rows, until }]);
  }

  /** Adds a function that has read something about the sender, to run it again after a slow body. */
  knows(read: Demand["read"]): void {
    this.#reads.push(read);
  }

  /**
   * Asks again whether the sender has the authority that was demanded.
   *
   * @throws {Error} as {@link Demand.ask}, or that of a commit that would have ended the authority
   */
  async ask(): Promise<void> {
    if (this.isLimited) await this.#askAfter(this.#demands.map(({ read }) => read));
  }

  async #askAfter(reads: readonly Demand["read"][]): Promise<void> {
    await apart(
      "A commit checks the rows of the authority by itself.",
      () => Promise.all(Array.from(new Set(reads), (read) => read())),
    );
    // What was read may be the work of a commit of the request whose result is still on its way. If it gets none, nobody
    // knows who ended the authority.
    await Promise.all(this.#endings);
    if (this.#released) return;
    this.#grounds = join(this.#demands.map((demand) => demand.ask()));
  }

  /**
   * Returns a function to call when a body has arrived. If that took long, it reads again who sends it and asks
   * for what was demanded, before anything is done with the body.
   *
   * @throws {Error} as {@link ask}
   */
  awaitBody(): () => Promise<void> | undefined {
    const since = this.clock();
    return () => {
      if (this.clock() - since <= SLOW_MS || this.#released) return undefined;
      return this.#askAfter([...this.#reads, ...this.#demands.map(({ read }) => read)]);
    };
  }

  /**
   * Commits only if the authority is in force. A commit that fails because of it is attempted again, unless the
   * authority has ended, so a caller never sees a failure that is not its own. A commit that deletes a row of
   * the authority ends the checking: what follows completes it. Later commits check the version of a row that
   * it sets.
   *
   * @throws {Error} as {@link ask}
   * @throws {KvBusyError} if the authority keeps changing
   */
  async commit({ checks, changeOf, attempt }: Attempts): Promise<Result> {
    for (let attempts = 1;; attempts++) {
      if (!this.isLimited) return await attempt(checks);
      const isOutdated = this.#grounds.rows.some((row) =>
        // The caller has read the row since it was asked for.
        checks.some((own) => hasSameKey(own, row) && own.versionstamp !== row.versionstamp)
      );
      if (isOutdated || this.clock() >= this.#grounds.until) await this.ask();
      if (!this.isLimited) continue;
      const { rows } = this.#grounds;
      const added = rows.filter((row) => !checks.some((own) => hasSameKey(own, row)));
      const ends = rows.some(({ key }) => changeOf(key) === "deleted");
      const attempted = attempt([...checks, ...added]);
      const result = await (ends ? this.#awaitEnd(attempted) : attempted);
      if (result.ok) {
        this.#replace(rows.filter(({ key }) => changeOf(key) === "set"), result);
        return result;
      }
      await this.ask();
      if (!this.isLimited) continue; // another commit of the request has ended the authority
      const hasChanged = added.some((row) =>
        this.#grounds.rows.some((now) =>
          hasSameKey(now, row) && now.versionstamp !== row.versionstamp
        )
      );
      if (!hasChanged) return result;
      if (attempts === ATTEMPTS) throw new KvBusyError(attempts);
    }
  }

  /** Awaits an attempt that ends the authority if it succeeds. */
  #awaitEnd(attempted: Promise<Result>): Promise<Result> {
    const ending = attempted.then((result) => {
      this.#released ||= result.ok;
      return result;
    }).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
    return ending;
  }

  /** Expects the version of rows that a commit of the request has set. */
  #replace(rows: readonly Deno.AtomicCheck[], { versionstamp }: Deno.KvCommitResult): void {
    if (rows.length === 0) return;
    const isSet = (row: Deno.AtomicCheck) => rows.some((set) => hasSameKey(set, row));
    const replaced = this.#grounds.rows.map((row) => isSet(row) ? { ...row, versionstamp } : row);
    this.#grounds = { ...this.#grounds, rows: replaced };
  }

  /** Ends the request. Its authority can still be asked for, by what is read for the response. */
  end(): void {
    this.#answered = true;
  }
}

/** Joins grounds: all of them must hold. */
const join = (all: readonly Grounds[]): Grounds => ({
  rows: all.flatMap(({ rows }) => rows)
    .filter((row, i, rows) => rows.findIndex((other) => hasSameKey(other, row)) === i),
  until: Math.min(...all.map(({ until }) => until)),
});

/** Returns for whom the running code acts; undefined for the site itself. */
export const currentActor = (): Actor | undefined => actors.getStore();

/** Runs a function, and everything that it starts, for an actor. */
export const actAs = <Result>(actor: Actor | undefined, run: () => Result): Result =>
  actors.run(actor, run);

/**
 * Runs a function, and everything that it starts, as the site. Use it for work that outlives the request that
 * starts it, is shared by several requests, or cleans up after a refusal. Its log lines still belong to the
 * request.
 *
 * @example
 * ```ts
 * asSite(() => send(message)).catch(report);
 * ```
 */
export const asSite = <Result>(run: () => Result): Result => {
  const id = currentActor()?.requestId;
  return actors.run(id === undefined ? undefined : new Actor(id), run);
};

/**
 * Lets the running code, and what it starts from here on, act as the site. Tests call it before each test, because
 * Deno calls a test in the context of whatever ran last, such as a request of the test before.
 */
export const forgetActor = (): void => actors.enterWith(undefined);
