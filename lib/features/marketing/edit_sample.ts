/**
 * The sample as text that visitors edit. It is separate from the verifier, which pages load only once a
 * visitor turns to the sample.
 *
 * @module
 */
import type { ChainEvent, LinkedEvent, SavedChain } from "../../../packages/proof/mod.ts";

/** An event as a visitor may have edited it: the text that is hashed, and the hash beside it. */
export interface EditedEvent {
  /** Canonical JSON, unless it was edited. */
  text: string;
  prev: string;
  hash: string;
}

/** The text of an event with its members in the order of canonical JSON. */
const textOf = ({ at, kind, seq, status }: ChainEvent): string =>
  JSON.stringify({ at, kind, seq, status });

export const editedEvents = ({ events }: SavedChain): EditedEvent[] =>
  (events as LinkedEvent[]).map((event) => ({
    text: textOf(event),
    prev: event.prev,
    hash: event.hash,
  }));

/** The part in which two texts differ, without their common beginning and end. */
interface Difference {
  /** Counts from 1. */
  at: number;
  from: string;
  to: string;
}

/** Returns the difference between two texts; null if they are equal. */
export function differenceOf(from: string, to: string): Difference | null {
  if (from === to) return null;
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return {
    at: start + 1,
    from: from.slice(start, from.length - end),
    to: to.slice(start, to.length - end),
  };
}

/** Returns the position of the last digit of the minute in an event's time, or -1. */
export const minuteOf = (text: string): number => text.search(/\d:\d\d\.\d{3}Z/);

/**
 * Replaces the character at an index by another one: a digit or a letter by the next one, and anything
 * else by a question mark.
 */
export function changeByte(text: string, index: number): string {
  const old = text[index];
  return old === undefined ? text : text.slice(0, index) + otherByte(old) + text.slice(index + 1);
}

const FOLLOWING = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

function otherByte(old: string): string {
  const row = FOLLOWING.find((each) => each.includes(old));
  if (row === undefined) return old === "?" ? "!" : "?";
  return row[(row.indexOf(old) + 1) % row.length];
}
