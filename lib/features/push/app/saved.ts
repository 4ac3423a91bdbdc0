/** The data that the record app stores in the browser. */
import type { LinkedEvent, LogFinding } from "../../../../packages/proof/mod.ts";

/**
 * The data that the app stores in the browser, in one cache. The version is part of its name, so a
 * worker with another format starts with an empty cache.
 */
export const APP_CACHE = "record-app-2";

/** The latest events that are kept. */
export const SAVED_EVENTS = 100;

/** The public chain of the record that was opened last. */
export interface SavedView {
  hash: string;
  /** The newest events, newest last. */
  events: Pick<LinkedEvent, "seq" | "kind" | "at" | "hash">[];
  /** When the page was visited, in ISO 8601. */
  at: string;
  /** The result of verifying the chain in the browser; null if it could not be verified. */
  verified:
    | {
      ok: true;
      size: number;
      signedSize: number;
      /** The finding in the public log; null if it was not checked. */
      log: LogFinding | null;
    }
    | { ok: false; message: string }
    | null;
}

/** The record whose notifications this browser receives. */
interface SavedSubscription {
  hash: string;
  /** The subscription that the site knows. */
  endpoint: string;
}

/** The entries of the cache. Nothing is served at their paths. */
const PATHS = {
  chain: "/my-record/saved/chain",
  subscription: "/my-record/saved/subscription",
} as const;

interface Entries {
  chain: SavedView;
  subscription: SavedSubscription;
}

/** The app's storage in the browser. */
export interface AppStorage {
  read<Name extends keyof Entries>(name: Name): Promise<Entries[Name] | null>;
  write<Name extends keyof Entries>(name: Name, value: Entries[Name]): Promise<void>;
  remove(name: keyof Entries): Promise<void>;
  /** Deletes the caches of other versions. */
  removeOld(): Promise<void>;
}

/** @param caches the browser's caches, which exist on secure pages only */
export function appStorage(caches: CacheStorage): AppStorage {
  const open = () => caches.open(APP_CACHE);
  return {
    async read(name) {
      const response = await (await open()).match(PATHS[name]);
      return response === undefined ? null : await response.json();
    },
    async write(name, value) {
      await (await open()).put(PATHS[name], Response.json(value));
    },
    async remove(name) {
      await (await open()).delete(PATHS[name]);
    },
    async removeOld() {
      for (const name of await caches.keys()) {
        if (name.startsWith("record-app") && name !== APP_CACHE) await caches.delete(name);
      }
    },
  };
}
