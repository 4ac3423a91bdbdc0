/**
 * Reads texts, times and URLs of a bank's response without full account numbers.
 *
 * @module
 */
import { hasNumber, maskNumbers } from "../masks.ts";

/** Returns a text with its numbers masked; null if it is empty or not a text. */
export const maskedText = (text: unknown): string | null =>
  typeof text === "string" && text.trim() !== "" ? maskNumbers(text) : null;

/** Most times of a bank, of days that every month has. They need no date, which takes most of the reading. */
const UTC =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3,9}Z$/;

/** Returns a time in UTC, ISO 8601 with milliseconds; null if it cannot be read. */
export function utcTime(text: unknown): string | null {
  if (typeof text === "string" && UTC.test(text)) return `${text.slice(0, 23)}Z`;
  const time = typeof text === "string" ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Most URLs of a bank, which parsing would not change. It takes most of the reading of a transaction. */
const PLAIN_URL = /^https:\/\/[a-z][a-z\d-]*(?:\.[a-z][a-z\d-]*)+\/[\w/-]*$/;

/** Returns an HTTPS URL without the number of an account, or null. Ids of transactions have groups of digits. */
export function safeUrl(text: unknown): string | null {
  if (typeof text === "string" && PLAIN_URL.test(text)) return hasNumber(text) ? null : text;
  const url = typeof text === "string" ? URL.parse(text) : null;
  return url?.protocol === "https:" && !hasNumber(url.href) ? url.href : null;
}
