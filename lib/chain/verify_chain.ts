import { type Head, headOrigin, verifyHead } from "./head.ts";
import { type EventFault, type EventsVerification, verifyEvents } from "./verify.ts";

/** Everything that a whole verification needs. */
export interface ChainEvidence {
  /** From a source other than the events: a QR code, the record and its salt. */
  recordHash: string;
  /** All events from event 0 on, as JSON gave them. */
  events: readonly unknown[];
  /** The signed head, as JSON gave it. */
  head: unknown;
  /** The host whose key set `keys` is, with a port if it has one. */
  publisher: string;
  /** The `keys` of the publisher's JWK Set. */
  keys: readonly unknown[];
}

/**
 * Why a chain is refused. Beside the faults of events and heads: `bad_origin`:
 * the head is another publisher's or record's; `truncated`: events are missing
 * at the end; `bad_tip`: the head was signed over other events.
 */
export type ChainFault =
  | EventFault
  | "bad_head"
  | "unknown_key"
  | "bad_signature"
  | "bad_origin"
  | "truncated"
  | "bad_tip";

/**
 * `signedSize` events are covered by the head; any beyond it were appended
 * since, and are linked but not yet signed. `seq` stands with a fault that one
 * event shows.
 */
export type ChainVerification =
  | { ok: true; size: number; tip: string; signedSize: number; head: Head }
  | { ok: false; seq?: number; code: ChainFault; message: string };

/**
 * Verifies a chain from its record's hash to its signed head, in the order of
 * the standard's "Verification". Bad input is an answer, never a throw.
 *
 * An older head that was kept is checked in the same way: an honest chain has
 * only grown since.
 */
export async function verifyChain(
  { recordHash, events, head, publisher, keys }: ChainEvidence,
): Promise<ChainVerification> {
  const chain: EventsVerification = await verifyEvents(recordHash, events);
  if (!chain.ok) return chain;

  const signed = await verifyHead(head, keys);
  if (!signed.ok) return signed;
  const { origin, size, tip } = signed.head;
  if (origin !== headOrigin(publisher, recordHash)) {
    return {
      ok: false,
      code: "bad_origin",
      message: `the head is of ${origin}`,
    };
  }
  if (size > chain.size) {
    return {
      ok: false,
      seq: chain.size,
      code: "truncated",
      message: `the head counts ${size} events, ${chain.size} are here`,
    };
  }
  // verifyEvents has checked every event, so this one has a hash.
  if ((events[size - 1] as { hash: string }).hash !== tip) {
    return {
      ok: false,
      seq: size - 1,
      code: "bad_tip",
      message: `the head's tip is not the hash of event ${size - 1}`,
    };
  }
  return { ...chain, signedSize: size, head: signed.head };
}
