/** Simulates in a test that the store does not respond. */
import { callsOf } from "../timed_kv.ts";

type AnyCall = (...args: never[]) => Promise<unknown>;

/** A store whose calls can be left without a response. */
interface HangingKv {
  kv: Deno.Kv;
  /** The number of calls that are held. */
  readonly held: number;
  /** Holds all calls from now on, or those of a method, such as `commit`. */
  hang(method?: string): void;
  /** Makes the calls that were held, lets new ones pass, and resolves when the former have ended. */
  release(): Promise<void>;
}

/** Returns a store in front of another one, which it does not close. */
export function hangingKv(kv: Deno.Kv): HangingKv {
  let held: { method: string | undefined; until: PromiseWithResolvers<void> } | null = null;
  const calls = new Set<Promise<unknown>>();
  const holding = <Call extends AnyCall>(method: string, call: Call): Call =>
    ((...args) => {
      if (held === null || (held.method ?? method) !== method) return call(...args);
      const made = held.until.promise.then(() => call(...args)).finally(() => calls.delete(made));
      calls.add(made);
      return made;
    }) as Call;
  const front = {
    get: holding("get", kv.get.bind(kv)),
    getMany: holding("getMany", kv.getMany.bind(kv) as AnyCall),
    set: holding("set", kv.set.bind(kv)),
    delete: holding("delete", kv.delete.bind(kv)),
    list(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      const iterator = kv.list(selector, options);
      const next = iterator.next.bind(iterator);
      const read = holding("list", next);
      const isCall = callsOf(options);
      let rows = 0;
      return Object.assign(iterator, { next: () => isCall(rows++) ? read() : next() });
    },
    atomic() {
      const operation = kv.atomic();
      const commit = holding("commit", operation.commit.bind(operation));
      return Object.assign(operation, { commit });
    },
    watch: kv.watch.bind(kv),
    commitVersionstamp: kv.commitVersionstamp.bind(kv),
    close() {},
    [Symbol.dispose]() {},
  };
  return {
    kv: front as unknown as Deno.Kv,
    get held() {
      return calls.size;
    },
    hang(method) {
      held ??= { method, until: Promise.withResolvers() };
    },
    async release() {
      held?.until.resolve();
      held = null;
      await Promise.allSettled(calls);
    },
  };
}
