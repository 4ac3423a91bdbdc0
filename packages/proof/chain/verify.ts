/**
 * Verifies chains and parts of them.
 *
 * @module
 */
import { hashSchema, linkedEventSchema } from "./event.ts";
import { eventHash } from "./hash.ts";
import { type Head, headOrigin, type HeadVerification, verifyHead } from "./head.ts";

/**
 * Why events are rejected, in the order of the checks. `bad_input`: the record's hash, the start or
 * the list is malformed; `bad_event`: a member is missing, unknown or malformed; `bad_seq`: `seq` is
 * not the next number; `bad_prev`: the event is not linked to the previous one; `bad_hash`: `hash` is
 * not the hash of the event.
 */
type EventFault =
  | "bad_input"
  | "bad_event"
  | "bad_seq"
  | "bad_prev"
  | "bad_hash";

/** `size` and `tip` as a head states them, or the first bad event. */
type EventsVerification =
  | { ok: true; size: number; tip: string }
  | { ok: false; seq: number; code: EventFault; message: string };

/** The start of a part of a chain: the `seq` and `prev` of its first event. */
export interface ChainStart {
  seq: number;
  prev: string;
}

/**
 * Verifies events in order and reports the first bad one (standard, "Verification"). Malformed input
 * yields a fault, never an exception.
 *
 * Events may still be missing at the end. Only a signed head reveals that; see {@link verifyChain}.
 *
 * @param recordHash the record's hash, from a source other than the events
 * @param start where the events begin, if not at event 0. The caller must know `start.prev` from an
 * earlier verification, otherwise the first link proves nothing
 * @returns `size` counts from event 0: `start.seq` plus the number of events given
 * @example
 * const result = await verifyEvents(hash, events);
 * if (!result.ok) console.error(`event ${result.seq}: ${result.message}`);
 */
export async function verifyEvents(
  recordHash: string,
  events: readonly unknown[],
  start: ChainStart = { seq: 0, prev: recordHash },
): Promise<EventsVerification> {
  let { seq, prev } = start;
  const fault = (code: EventFault, message: string): EventsVerification => ({
    ok: false,
    seq,
    code,
    message,
  });

  if (!Number.isSafeInteger(seq) || seq < 0) {
    seq = 0;
    return fault("bad_input", "the first seq is not a whole number from 0");
  }
  if (!hashSchema.safeParse(recordHash).success || !hashSchema.safeParse(prev).success) {
    return fault("bad_input", "a hash is 64 lowercase hexadecimal digits");
  }
  if (!Array.isArray(events)) return fault("bad_input", "events is not a list");
  if (seq === 0) prev = recordHash;

  for (const candidate of events) {
    const parsed = linkedEventSchema.safeParse(candidate);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0];
      return fault("bad_event", [path.join("."), message].join(" ").trim());
    }
    const event = parsed.data;
    if (event.seq !== seq) return fault("bad_seq", `seq is ${event.seq} instead of ${seq}`);
    if (event.prev !== prev) {
      return fault(
        "bad_prev",
        seq === 0 ? "prev is not the record's hash" : `prev is not the hash of event ${seq - 1}`,
      );
    }
    if (event.hash !== await eventHash(prev, event)) {
      return fault("bad_hash", "hash is not the hash of this event");
    }
    prev = event.hash;
    seq++;
  }
  return { ok: true, size: seq, tip: prev };
}

export interface ChainEvidence {
  /** The hash from another source than the events: a QR code, or the record and its salt. */
  recordHash: string;
  events: readonly unknown[];
  head: unknown;
  /** The host that `keys` belongs to, with its port if it has one. */
  publisher: string;
  keys: readonly unknown[];
}

/**
 * Why a chain is rejected. In addition to the faults of events and heads: `bad_origin`: the head
 * belongs to another publisher or record; `truncated`: events are missing at the end; `bad_tip`: the
 * head covers different events.
 */
export type ChainFault =
  | EventFault
  | (HeadVerification & { ok: false })["code"]
  | "bad_origin"
  | "truncated"
  | "bad_tip";

/**
 * The result of {@link verifyChain}. The head covers the first `signedSize` events; later ones are
 * linked but not signed yet. `seq` is present when a fault concerns one event.
 */
export type ChainVerification =
  | { ok: true; size: number; tip: string; signedSize: number; head: Head }
  | { ok: false; seq?: number; code: ChainFault; message: string };

/**
 * Verifies a chain from its record's hash to its signed head, in the order of the standard's
 * "Verification". Malformed input yields a fault, never an exception.
 *
 * An older head that the caller has kept can be verified the same way, because a chain only grows.
 */
export async function verifyChain(
  { recordHash, events, head, publisher, keys }: ChainEvidence,
): Promise<ChainVerification> {
  const chain = await verifyEvents(recordHash, events);
  if (!chain.ok) return chain;

  const signed = await verifyHead(head, keys);
  if (!signed.ok) return signed;
  const { origin, size, tip } = signed.head;
  if (origin !== headOrigin(publisher, recordHash)) {
    return { ok: false, code: "bad_origin", message: `the origin of the head is ${origin}` };
  }
  if (size > chain.size) {
    return {
      ok: false,
      seq: chain.size,
      code: "truncated",
      message: `the head covers ${size} events, but there are only ${chain.size}`,
    };
  }
  // verifyEvents has checked that every event has a hash.
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
