import { transact } from "../../kv/mod.ts";
import type { LinkedEvent } from "../event.ts";
import { linkEvent } from "../hash.ts";
import { type Head, headOrigin, signHead } from "../head.ts";
import type { SigningKey } from "../keys.ts";
import type { EventKind } from "../kinds.ts";
import { eventKey, headKey } from "./page.ts";

/**
 * Adds to the commit that appends an event: all of it takes effect or nothing. Where another writer
 * was faster, it is called again with a new commit, so it must only read, and add checks and writes
 * under what it has read. Returning `false` refuses; throwing does too, and the error comes through.
 */
export type Also = (commit: Deno.AtomicOperation) => boolean | void | Promise<boolean | void>;

/** What was appended, and the head that covers it. */
export interface Appended {
  event: LinkedEvent;
  head: Head;
}

/** A record has one chain, which begins once. */
export class ChainExistsError extends Error {
  override readonly name = "ChainExistsError";
  readonly code = "chain_exists";
}

interface Append {
  kv: Deno.Kv;
  clock: () => number;
  publisher: string;
  key: SigningKey;
  hash: string;
  kind: EventKind;
  /** Whether this is event 0; any other wants a chain that has begun. */
  begin: boolean;
  also: Also | undefined;
}

/**
 * Appends an event under a check of the head that it follows (standard, "Appending"), so that no
 * two events share a `seq`.
 */
export function appendEvent(
  { kv, clock, publisher, key, hash, kind, begin, also }: Append,
): Promise<Appended | null> {
  return transact(async () => {
    const before = await kv.get<Head>(headKey(hash));
    if (begin && before.value !== null) throw new ChainExistsError(`${hash} has a chain.`);
    if (!begin && before.value === null) return { result: null };

    const { size: seq, tip, at: latest } = before.value ?? { size: 0, tip: hash, at: "" };
    const now = new Date(clock()).toISOString();
    const at = now < latest ? latest : now; // clocks are corrected, also backwards
    const event = await linkEvent(tip, { seq, kind, at, status: "ok" });
    const statement = { origin: headOrigin(publisher, hash), size: seq + 1, tip: event.hash, at };
    const head = await signHead(statement, key);

    const commit = kv.atomic().check(before)
      .set(headKey(hash), head)
      .set(eventKey(hash, seq), event);
    if (await also?.(commit) === false) return { result: null };
    return { result: { event, head }, commit };
  });
}
