/** Values by key, within a limit of memory. The least recently used is dropped first. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Returns the stored value, or makes and stores it. */
  getOrAdd(key: string, make: () => Value): Value;
  /** The size of everything that is stored, with the keys. */
  readonly size: number;
}

/**
 * @param options.limit the maximum size of keys and values together
 * @param options.sizeOf returns the size of a value, which must not change
 */
export function createBoundedCache<Value>(
  { limit, sizeOf }: { limit: number; sizeOf: (value: Value) => number },
): BoundedCache<Value> {
  // A map's iteration starts with the oldest entry.
  const stored = new Map<string, Value>();
  let size = 0;
  const drop = (key: string, value: Value) => {
    stored.delete(key);
    size -= key.length + sizeOf(value);
  };
  const get = (key: string) => {
    const known = stored.get(key);
    if (known !== undefined) {
      stored.delete(key);
      stored.set(key, known);
    }
    return known;
  };
  const set = (key: string, value: Value) => {
    const older = stored.get(key);
    if (older !== undefined) drop(key, older);
    const added = key.length + sizeOf(value);
    if (added > limit) return;
    stored.set(key, value);
    size += added;
    for (const [oldest, dropped] of stored) {
      if (size <= limit) break;
      drop(oldest, dropped);
    }
  };
  return {
    get,
    set,
    getOrAdd(key, make) {
      const known = get(key);
      if (known !== undefined) return known;
      const value = make();
      set(key, value);
      return value;
    },
    get size() {
      return size;
    },
  };
}
