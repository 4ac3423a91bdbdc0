/**
 * Stores chains in Deno KV: starts them, appends events, signs heads and reads pages (standard, "The
 * event chain" and "Heads"). For servers only; `../mod.ts` verifies chains.
 *
 * @module
 */
import { asSite, createKeyedQueue } from "../../platform/kv/mod.ts";
import {
  type EventKind,
  type Head,
  isHash,
  type KeySet,
  type PrivateJwk,
  type SigningKey,
} from "../../../packages/proof/mod.ts";
import { type AddToCommit, type AddToEvent, appendEvent } from "./append.ts";
import { type ChainPage, heads, type PageQuery, readHeadAndPage, readPage } from "./page.ts";
import {
  type AddToKeys,
  firstUseOf,
  noteFirstUse,
  openSigningKey,
  readKeySet,
} from "./signing_key.ts";

export { addChainRows, resignHeads } from "./append.ts";
export type { SigningKey } from "../../../packages/proof/mod.ts";
export { createCheckJob, type InvalidChain } from "./check_all.ts";
export { readEventCounts } from "./counts.ts";
export { chainFeed } from "./feed.ts";
export {
  chainEvents,
  chainFeedSchema,
  heads,
  locationQuerySchema,
  locationSchema,
  MAX_PAGE_SIZE,
  NOT_A_HASH,
  pageQuerySchema,
  sentHash,
  seqSchema,
} from "./page.ts";
export {
  type AddToKeys,
  openSigningKey,
  readKeySet,
  readWithdrawnKeys,
  restoreKeys,
  withdrawKey,
} from "./signing_key.ts";
export type { AddToCommit, AddToEvent, ChainPage, PageQuery };

/** All chains of a publisher. Writes reject with `KvBusyError` if the store stays too busy. */
export type Chains = ReturnType<typeof createChains>;

interface ChainsOptions {
  kv: Deno.Kv;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The host of the trust surface, with its port unless it is the default one. */
  publisher: string;
  /** If undefined (in development), a key is generated when first needed, and stored. */
  signingKey: PrivateJwk | undefined;
  /** Takes part in the commit of every event, whichever feature appends it. */
  addToEvent?: AddToEvent;
  /** Takes part in the commit that publishes the signing key. */
  addToKeys?: AddToKeys;
  onAppend?: (hash: string, kind: EventKind) => void;
}

/**
 * Creates the chains of a publisher. Nothing is read or written before the first call.
 */
export function createChains(
  { kv, clock, publisher, signingKey, addToEvent, addToKeys, onAppend = () => {} }: ChainsOptions,
) {
  /**
   * Returns the signed head, or null if there is no such chain. Text that is not a hash is not looked
   * up, because it may be too long for a key.
   */
  const headOf = async (hash: string): Promise<Head | null> =>
    isHash(hash) ? (await heads.get(kv, hash)).value : null;
  const enqueue = createKeyedQueue(); // all appends to a chain write the same head
  let opened: Promise<SigningKey> | undefined;
  const openKey = () =>
    opened ??= asSite(openNoted).catch((error) => {
      opened = undefined; // the next call tries again
      throw error;
    });
  async function openNoted() {
    const key = await openSigningKey(kv, signingKey, addToKeys);
    await noteFirstUse(kv, key.kid, clock());
    return key;
  }
  const append = (hash: string, kind: EventKind, begin: boolean, addToCommit?: AddToCommit) =>
    enqueue(hash, async () => {
      const writer = { kv, clock, publisher, key: await openKey(), addToEvent };
      const appended = await appendEvent(writer, { hash, kind, begin, addToCommit });
      if (appended !== null) onAppend(hash, kind);
      return appended;
    });
  return {
    publisher,
    /**
     * Starts the chain of a record with event 0, `hash_generated`.
     *
     * @returns the new chain's only page, or null if `addToCommit` returned `false`; then nothing is
     * written
     * @throws {Error} (rejects) if the record already has a chain
     */
    async start(hash: string, addToCommit?: AddToCommit): Promise<ChainPage | null> {
      const appended = await append(hash, "hash_generated", true, addToCommit);
      return appended && { hash, head: appended.head, events: [appended.event] };
    },
    /**
     * Appends one event and signs the new head. The event gets the clock's time, but never one earlier
     * than the previous event's.
     *
     * @returns null if there is no such chain or `addToCommit` returned `false`; then nothing is
     * written
     */
    append: (hash: string, kind: EventKind, addToCommit?: AddToCommit) =>
      append(hash, kind, false, addToCommit),
    /**
     * Returns a page of events in ascending order of `seq`, or null if there is no such chain.
     *
     * @param known the head that the caller has just read. Default: it is read.
     */
    async page(hash: string, query?: PageQuery, known?: Head): Promise<ChainPage | null> {
      if (known !== undefined) return await readPage(kv, hash, known, query);
      return isHash(hash) ? await readHeadAndPage(kv, hash, query) : null;
    },
    head: headOf,
    /** Returns the signed head together with another row, in one round trip; null if there is no such chain. */
    async headWith(
      hash: string,
      key: Deno.KvKey,
    ): Promise<{ head: Head; row: Deno.KvEntryMaybe<unknown> } | null> {
      if (!isHash(hash)) return null;
      const [{ value: head }, row] = await kv.getMany<[Head, unknown]>([heads.key(hash), key]);
      return head && { head, row };
    },
    async keys(): Promise<KeySet> {
      await openKey();
      return await readKeySet(kv);
    },
    kid: async () => (await openKey()).kid,
    /** Returns when the signing key was first used, ISO 8601 in UTC; null if that is unknown. */
    keyFirstUsed: async () => await firstUseOf(kv, (await openKey()).kid),
  };
}
