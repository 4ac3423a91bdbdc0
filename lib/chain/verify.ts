import { hashSchema, linkedEventSchema } from "./event.ts";
import { eventHash } from "./hash.ts";

/**
 * Why an event is refused, in the order of the checks. `bad_input`: the record's
 * hash or the start is malformed, or there is no list; `bad_event`: a member is
 * missing, unknown or malformed; `bad_seq`: not the next number; `bad_prev`: not
 * linked to the event before; `bad_hash`: not the hash of this event.
 */
export type EventFault =
  | "bad_input"
  | "bad_event"
  | "bad_seq"
  | "bad_prev"
  | "bad_hash";

/** `size` and `tip` as a head states them, or the first bad event. */
export type EventsVerification =
  | { ok: true; size: number; tip: string }
  | { ok: false; seq: number; code: EventFault; message: string };

/** Where a part of a chain begins: its first `seq` and that event's `prev`. */
export interface ChainStart {
  seq: number;
  prev: string;
}

/**
 * Verifies events, given in order, and names the first bad one (standard,
 * "Verification"). Bad input of any form is an answer, never a throw.
 *
 * An intact list may still be short of its end: that only a signed head shows,
 * see {@link verifyChain}.
 *
 * @param recordHash the record's hash, from a source other than the events
 * @param events what JSON gave; any values
 * @param start where the events begin, if not at event 0: the hash of the event
 * before must be known to the caller, or the link to it proves nothing
 * @returns `size` counts from event 0, so it is `start.seq` plus the events given
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
  const fail = (code: EventFault, message: string): EventsVerification => ({
    ok: false,
    seq,
    code,
    message,
  });

  if (!Number.isSafeInteger(seq) || seq < 0) {
    seq = 0;
    return fail("bad_input", "the first seq is not an integer from 0");
  }
  if (
    !hashSchema.safeParse(recordHash).success ||
    !hashSchema.safeParse(prev).success
  ) {
    return fail("bad_input", "a hash is 64 lowercase hexadecimal digits");
  }
  if (!Array.isArray(events)) return fail("bad_input", "events is not a list");
  if (seq === 0) prev = recordHash;

  for (const candidate of events) {
    const parsed = linkedEventSchema.safeParse(candidate);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0];
      return fail("bad_event", [path.join("."), message].join(" ").trim());
    }
    const event = parsed.data;
    if (event.seq !== seq) {
      return fail("bad_seq", `seq is ${event.seq} where ${seq} follows`);
    }
    if (event.prev !== prev) {
      return fail(
        "bad_prev",
        seq === 0 ? "prev is not the record's hash" : `prev is not the hash of event ${seq - 1}`,
      );
    }
    if (event.hash !== await eventHash(prev, event)) {
      return fail("bad_hash", "hash is not the hash of this event");
    }
    prev = event.hash;
    seq++;
  }
  return { ok: true, size: seq, tip: prev };
}
