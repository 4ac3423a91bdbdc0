/** Records when sessions, grants and API keys were last used, without slowing down the use. */
import { asSite, ifWritable } from "../kv/mod.ts";
import { createBoundedCache } from "./bounded_cache.ts";

/** Notes when things were last used, in rows of their own, so that a use conflicts with nothing. */
export interface LastUses {
  /**
   * Notes a use, at most once per period in each process. A failure is left to a later use.
   *
   * @param since the last use that is known otherwise, in milliseconds since 1970. Default: none
   * @param write adds the row to a commit, which should check that what is used still exists; or writes it
   * @returns a promise that resolves when it is written; it never rejects
   */
  note(id: string, now: number, write: Write, since?: number): Promise<void>;
  /** Resolves when every use has been written. */
  settled(): Promise<void>;
}

type Write = () => Deno.AtomicOperation | Promise<void>;

/** In characters of keys, with one more for each value: about 10,000 ids of 64 characters. */
const LIMIT = 700_000;

/**
 * Creates the last uses of one kind of things.
 *
 * @param everyMs how often a use is written
 * @param onFailure called if a use could not be written
 */
export function createLastUses(
  { everyMs, onFailure = () => {} }: { everyMs: number; onFailure?: () => void },
): LastUses {
  const noted = createBoundedCache<number>({ limit: LIMIT, sizeOf: () => 1 });
  const writing = new Set<Promise<void>>();
  return {
    note(id, now, write, since = -Infinity) {
      if (now - (noted.get(id) ?? since) < everyMs) return Promise.resolve();
      noted.set(id, now);
      // A use says nothing about the authority of the request, and may outlive it.
      const written = asSite(() => ifWritable(() => stored(write())))
        .then((result) => {
          if (!result?.ok) noted.set(id, -Infinity);
        }, () => {
          noted.set(id, -Infinity);
          onFailure();
        })
        .finally(() => writing.delete(written));
      writing.add(written);
      return written;
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

const stored = async (written: ReturnType<Write>): Promise<{ ok: boolean }> => {
  if (!(written instanceof Promise)) return await written.commit();
  await written;
  return { ok: true };
};
