/** A reader's memory of a log, so that the reader cannot be shown another one later. */
export interface RememberedLog {
  /** The newest checkpoint that was verified, with its signatures; null before the first. */
  checkpoint: string | null;
  /** The log's keys that were seen first, or that the reader has accepted since, as text. */
  keys: string[];
}

/** Where a reader keeps it, by the name of the log. */
export interface LogMemory {
  read(origin: string): Promise<RememberedLog | null>;
  write(origin: string, remembered: RememberedLog): Promise<void>;
}

/** Returns a memory that lasts as long as the program. */
export function createMemory(): LogMemory {
  const logs = new Map<string, RememberedLog>();
  return {
    read: (origin) => Promise.resolve(logs.get(origin) ?? null),
    write: (origin, remembered) => Promise.resolve(void logs.set(origin, remembered)),
  };
}

/**
 * Returns a memory in a browser's storage, such as `localStorage`. Scripts of the same origin can read and
 * change it.
 *
 * @param prefix begins the names of the entries
 */
export const storageMemory = (
  storage: Pick<Storage, "getItem" | "setItem">,
  prefix = "log ",
): LogMemory => ({
  // deno-lint-ignore require-await -- a damaged entry has to become a rejection
  async read(origin) {
    const text = storage.getItem(prefix + origin);
    return text === null ? null : JSON.parse(text);
  },
  // deno-lint-ignore require-await -- storage that is full has to become a rejection
  async write(origin, remembered) {
    storage.setItem(prefix + origin, JSON.stringify(remembered));
  },
});
