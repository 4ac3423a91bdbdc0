/**
 * Chains in Deno KV: begun, appended to under an atomic check of the head, read by pages, their
 * heads signed (standard, "The event chain" and "Heads"). For the server alone; what verifies them
 * is in `lib/chain`.
 *
 * @module
 */
import type { LinkedEvent } from "../event.ts";
import type { Head } from "../head.ts";
import { type KeySet, keySet, type PrivateJwk, type SigningKey } from "../keys.ts";
import type { EventKind } from "../kinds.ts";
import { type Also, type Appended, appendEvent, ChainExistsError } from "./append.ts";
import { createLanes } from "./lanes.ts";
import { type ChainPage, type PageQuery, readHead, readPage } from "./page.ts";
import { openSigningKey, publishedKeys } from "./signing_key.ts";

export { type Also, type Appended, ChainExistsError, type ChainPage, type PageQuery };
export { MAX_PAGE, PAGE } from "./page.ts";

/** All chains of a publisher. Writing rejects with `KvBusyError` where the store stays too busy. */
export interface Chains {
  /** The host whose chains these are, as heads name it. */
  readonly publisher: string;
  /**
   * Begins the chain of a record with event 0, `hash_generated`.
   *
   * @param hash the record's hash: 64 lowercase hexadecimal digits
   * @param also what is to be written together with it, see {@linkcode Also}
   * @returns the new chain's one page; null where `also` refused, and then nothing is written
   * @throws {ChainExistsError} (rejects) where the record has a chain
   */
  start(hash: string, also?: Also): Promise<ChainPage | null>;
  /**
   * Appends one event and signs the new head. Its time is the clock's, yet never before that of the
   * event before it.
   *
   * @returns null where there is no such chain or `also` refused; then nothing is written
   */
  append(hash: string, kind: EventKind, also?: Also): Promise<Appended | null>;
  /** A page of events, ascending by `seq`, with the head; null where there is no such chain. */
  page(hash: string, query?: PageQuery): Promise<ChainPage | null>;
  /** The signed head, or null. */
  head(hash: string): Promise<Head | null>;
  /** The public keys, as `/.well-known/chain-keys.json` serves them. */
  keys(): Promise<KeySet>;
  /** The thumbprint of the key that signs now. */
  kid(): Promise<string>;
}

export interface ChainsOptions {
  kv: Deno.Kv;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** The host of the trust surface, with its port where that is not the default one. */
  publisher: string;
  /** Undefined in development: one is made at the first need and kept in the store. */
  signingKey: PrivateJwk | undefined;
}

/**
 * Puts the parts together. Nothing is read or written before the first call.
 *
 * @example
 * ```ts
 * const chains = createChains({ kv, clock: Date.now, publisher: "trust.example", signingKey });
 * await chains.start(hash, (commit) => void commit.set(["contacts", hash], contact));
 * await chains.append(hash, "email_confirmed");
 * const page = await chains.page(hash, { limit: 5 });
 * ```
 */
export function createChains({ kv, clock, publisher, signingKey }: ChainsOptions): Chains {
  const inTurn = createLanes(); // all appends to one chain write its head
  let opened: Promise<SigningKey> | undefined;
  const key = () =>
    opened ??= openSigningKey(kv, signingKey).catch((error) => {
      opened = undefined; // the store may answer the next time
      throw error;
    });
  const append = (hash: string, kind: EventKind, begin: boolean, also?: Also) =>
    inTurn(hash, async () => {
      const publisherKey = await key();
      return await appendEvent({
        kv,
        clock,
        publisher,
        key: publisherKey,
        hash,
        kind,
        begin,
        also,
      });
    });
  return {
    publisher,
    async start(hash, also) {
      const begun = await append(hash, "hash_generated", true, also);
      return begun && { hash, head: begun.head, events: [begun.event satisfies LinkedEvent] };
    },
    append: (hash, kind, also) => append(hash, kind, false, also),
    page: (hash, query) => readPage(kv, hash, query),
    head: (hash) => readHead(kv, hash),
    async keys() {
      await key();
      return keySet(await publishedKeys(kv));
    },
    kid: async () => (await key()).kid,
  };
}
