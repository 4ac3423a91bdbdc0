/** Restores events that a backup lacks, by trying which ones match the public log. */
import { createHash } from "node:crypto";
import { concatBytes, decodeHex, encodeHex, utf8 } from "../../../base/bytes.ts";
import {
  DOMAINS,
  EVENT_KINDS,
  eventCommitmentBytes,
  eventSlot,
  type Head,
  headOrigin,
  isEqual,
  type LinkedEvent,
  linkEvent,
  signHead,
} from "../../../../packages/proof/mod.ts";
import { addChainRows, heads, type SigningKey } from "../../chain/mod.ts";
import { completeSince } from "./complete.ts";
import { type LogChain, logChains, logKeySets, logPending } from "./tables.ts";
import { readEntry, readTree } from "./tree.ts";

interface RestoreOptions {
  kv: Deno.Kv;
  publisher: string;
  key: SigningKey;
  /** When the store's copy was made, in milliseconds since 1970: later events are missing. */
  from: number;
  /** The time of the newest checkpoint: no event is later. */
  to: number;
  /** Called while the times of one event are tried, with the share that is done. */
  progress?: (record: string, share: number) => void;
}

/** The restored events of a chain, and whether the log has more that could not be found. */
interface RestoredChain {
  restored: number;
  complete: boolean;
}

/**
 * Adds the events that the log has of a chain and the store does not. Each is found by trying every kind and
 * every millisecond against its commitment, which takes some seconds per minute of the time that is tried.
 * The chain stays closed to appends if an event is not found.
 *
 * @returns null if the store has every event that the log has
 */
export async function restoreChain(
  { kv, publisher, key, from, to, progress = () => {} }: RestoreOptions,
  record: string,
): Promise<RestoredChain | null> {
  const [entry, chain] = await Promise.all([heads.get(kv, record), logChains.get(kv, record)]);
  if (entry.value === null) return null;
  // Its salt was lost, so nobody can open its entries any more.
  if (chain.value === null) return { restored: 0, complete: false };
  const { size, tip, at } = entry.value;
  const found: LinkedEvent[] = [];
  let last = { hash: tip, at };
  for (;;) {
    const next = await readEntry(kv, encodeHex(eventSlot(record, size + found.length + 1)));
    if (next === null) break;
    const event = await findEvent({
      record,
      chain: chain.value,
      seq: size + found.length,
      prev: last.hash,
      commitment: next.commitment,
      from: Math.max(from, Date.parse(last.at)),
      to,
      progress: (share) => progress(record, share),
    });
    if (event === null) return await save(false);
    found.push(event);
    last = event;
  }
  return found.length === 0 ? null : await save(true);

  async function save(complete: boolean): Promise<RestoredChain> {
    if (found.length > 0) {
      const origin = headOrigin(publisher, record);
      const statement = { origin, size: size + found.length, tip: last.hash, at: last.at };
      const head: Head = await signHead(statement, key);
      await addChainRows(kv, entry, head, found);
    }
    return { restored: found.length, complete };
  }
}

interface Search {
  record: string;
  chain: LogChain;
  seq: number;
  prev: string;
  commitment: Uint8Array;
  from: number;
  to: number;
  progress(share: number): void;
}

/** How many milliseconds are tried before the progress is reported. */
const REPORT_EVERY = 50_000;

/** Returns the event that a commitment was made of; null if it is none of the times and kinds. */
async function findEvent(
  { record, chain, seq, prev, commitment, from, to, progress }: Search,
): Promise<LinkedEvent | null> {
  const kinds = EVENT_KINDS.map(({ kind }) => kind).filter((kind) =>
    (kind === "hash_generated") === (seq === 0)
  );
  const bytes = eventCommitmentBytes({ record, size: seq + 1, tip: prev, salt: chain.salt });
  const tipStart = bytes.length - 32;
  const candidates = kinds.map((kind) => {
    const at = new Date(0).toISOString();
    const event = JSON.stringify({ at, kind, seq, status: "ok" });
    const input = concatBytes([utf8(`${DOMAINS.event}\0`), decodeHex(prev), utf8(event)]);
    return { kind, input, timeStart: input.length - event.length + event.indexOf(at) };
  });
  const encoder = new TextEncoder();
  for (let time = from; time <= to; time++) {
    const at = new Date(time).toISOString();
    for (const { kind, input, timeStart } of candidates) {
      encoder.encodeInto(at, input.subarray(timeStart));
      bytes.set(createHash("sha256").update(input).digest(), tipStart);
      if (isEqual(createHash("sha256").update(bytes).digest(), commitment)) {
        return await linkEvent(prev, { seq, kind, at, status: "ok" });
      }
    }
    if ((time - from) % REPORT_EVERY === 0) progress((time - from) / Math.max(1, to - from));
  }
  return null;
}

/** The result of {@link restoreChains}. */
interface RestoredChains {
  /** The number of events that were restored, in all chains. */
  events: number;
  /** The number of chains that have them. */
  chains: number;
  /** The records whose chains stay closed. */
  closed: string[];
}

/** Restores the missing events of all chains, one after the other. */
export async function restoreChains(options: RestoreOptions): Promise<RestoredChains> {
  const result: RestoredChains = { events: 0, chains: 0, closed: [] };
  for await (const { key: [, record] } of heads.list(options.kv, [])) {
    const restored = await restoreChain(options, String(record));
    if (restored === null) continue;
    result.events += restored.restored;
    if (restored.restored > 0) result.chains++;
    if (!restored.complete) result.closed.push(String(record));
  }
  return result;
}

/**
 * Counts the entries of the log that belong to nothing in the store, such as records and documents that were
 * lost.
 *
 * @param others the number of entries that higher features know of: the statements about documents
 */
export async function countUnknown(kv: Deno.Kv, others: number): Promise<number> {
  const { size } = await readTree(kv);
  let known = others + (await completeSince(kv) === null ? 0 : 1);
  for await (const { value } of heads.list(kv, [])) known += value.size;
  for await (const _ of logKeySets.list(kv, [])) known++;
  for await (const _ of logPending.list(kv, [])) known--;
  return size - known;
}
