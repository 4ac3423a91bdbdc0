/** Reads single keys of a store. */
export interface SharedReads {
  get<Value>(key: readonly (string | number)[]): Promise<Deno.KvEntryMaybe<Value>>;
}

type Entry = Promise<Deno.KvEntryMaybe<unknown>>;

/** A read that has begun, and the one that follows it, if someone waits for it. */
interface Read {
  entry: Entry;
  next?: Entry;
}

/**
 * Shares reads of a key among concurrent requests: at most one read of it runs, and one more follows,
 * for everyone who asked in the meantime. A read always begins after the call, so a result is never
 * older than the call, whichever process wrote the value.
 *
 * @example
 * ```ts
 * const reads = createSharedReads(kv);
 * const { value } = await reads.get<Head>(["chains", hash]);
 * ```
 */
export function createSharedReads(kv: Pick<Deno.Kv, "get">): SharedReads {
  const running = new Map<string, Read>();

  function begin(text: string, key: Deno.KvKey): Entry {
    const read: Read = { entry: kv.get(key) };
    running.set(text, read);
    const end = () => {
      if (read.next === undefined) running.delete(text);
    };
    read.entry.then(end, end);
    return read.entry;
  }

  return {
    get<Value>(key: readonly (string | number)[]) {
      const text = JSON.stringify(key);
      const read = running.get(text);
      if (read !== undefined && read.next === undefined) {
        const again = () => begin(text, key);
        read.next = read.entry.then(again, again);
      }
      return (read?.next ?? begin(text, key)) as Promise<Deno.KvEntryMaybe<Value>>;
    },
  };
}
