/**
 * Counts what a request costs: the calls of the store, and the work that takes more time than the rest.
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOM_FOR_ID } from "../../lib/platform/kv/testing/limited_kv.ts";
import { holdKv, type KvCall } from "../../lib/platform/kv/testing/slow_kv.ts";

/** Numbers by what they count; zeros are left out. */
export type Counts = Record<string, number>;

/** Returns the sum of counts. */
export const sumOf = (counts: Counts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** How many round trips a request takes, and how many calls, rows and pieces of work in all. */
export interface Effort {
  trips: number;
  calls: number;
}

/** Returns whether a request took more than another one, or than is documented. */
export const isMore = (a: Effort, b: Effort): boolean => a.trips > b.trips || a.calls > b.calls;

const scope = new AsyncLocalStorage<Meter>();

/**
 * Counts the work of one request, and what follows its response. Pieces of work that overlap end together: what a
 * request reads in one turn of the event loop is one call of the store, so otherwise the number of calls would depend
 * on the machine. None of them may wait for another one.
 */
export class Meter {
  readonly work: Counts = {};
  #running = 0;
  #allEnded = Promise.withResolvers<void>();

  run<Result>(action: () => Promise<Result>): Promise<Result> {
    return scope.run(this, action);
  }

  /** True while the request waits for the store, for a signature or hash, or for another server. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /** Resolves when nothing is running any more, for several turns of the event loop. */
  async settled(): Promise<void> {
    for (let quiet = 0; quiet < 4;) {
      await new Promise((resolve) => setTimeout(resolve));
      quiet = this.isBusy ? 0 : quiet + 1;
    }
  }

  count(what: string): void {
    this.work[what] = (this.work[what] ?? 0) + 1;
  }

  began(): void {
    this.#running++;
  }

  /** Resolves when nothing is running any more; the work returns only then. */
  ended(): Promise<void> {
    const { promise, resolve } = this.#allEnded;
    if (--this.#running === 0) {
      this.#allEnded = Promise.withResolvers();
      resolve();
    }
    return promise;
  }

  async track<Result>(action: () => Promise<Result>): Promise<Result> {
    this.began();
    try {
      return await action();
    } finally {
      await this.ended();
    }
  }
}

/** Returns what calls ask of the store. */
export function storeCounts(calls: readonly KvCall[]): Counts {
  const named = (...names: KvCall["name"][]) => calls.filter(({ name }) => names.includes(name));
  const [gets, lists] = [named("get", "getMany"), named("list")];
  const commits = named("commit", "set", "delete");
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const counts = {
    gets: gets.length,
    keys: sum(gets.map(({ keys }) => keys.length)),
    lists: lists.length,
    rows: sum(lists.map(({ rows }) => rows)),
    commits: commits.length,
    checks: sum(named("commit").map(({ keys }) => keys.length)),
    mutations: writesOf(calls).length,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Returns a store whose calls keep the request busy that makes them. */
export const trackedKv = (kv: Deno.Kv): Deno.Kv =>
  holdKv(kv, () => {
    scope.getStore()?.began();
    return Promise.resolve();
  }, () => scope.getStore()?.ended());

// deno-lint-ignore no-explicit-any
type AnyFunction = (...args: any[]) => any;

/** Returns a function that is counted whenever it is called. */
export const counted = <F extends AnyFunction>(what: string, call: F): F =>
  ((...args) => {
    scope.getStore()?.count(what);
    return call(...args);
  }) as F;

/** The functions of WebCrypto that are counted. */
const SUBTLE = { sign: "signatures", verify: "verifications", digest: "hashes" } as const;

/** Counts the calls of WebCrypto, and the requests to servers whose URL begins with one of the bases. */
export function meterGlobals(bases: Record<string, string>): void {
  for (const [name, what] of Object.entries(SUBTLE)) {
    const method = SubtleCrypto.prototype[name as keyof typeof SUBTLE] as AnyFunction;
    Object.defineProperty(SubtleCrypto.prototype, name, {
      value(this: SubtleCrypto, ...args: unknown[]) {
        const call = () => method.apply(this, args);
        const meter = scope.getStore();
        if (meter === undefined) return call();
        meter.count(what);
        return meter.track(call);
      },
    });
  }
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const meter = scope.getStore();
    if (meter === undefined) return fetch(input, init);
    const url = String(input instanceof Request ? input.url : input);
    const what = Object.keys(bases).find((base) => url.startsWith(base));
    if (what !== undefined) meter.count(bases[what]);
    return meter.track(() => fetch(input, init));
  };
}

/** Returns the keys that calls change, without the one that only reserves space in a test's store. */
export const writesOf = (calls: readonly KvCall[]): Deno.KvKey[] =>
  calls.flatMap(({ mutations }) => mutations.filter((key) => key !== ROOM_FOR_ID));
