import type { StoredContact } from "../contact/mod.ts";
import type { Level } from "./levels.ts";

/** Filters of the list of records. An absent filter matches every record. */
export interface RecordFilters {
  /** Words that the name, the organisation or the address contains, or the beginning of the hash. */
  text?: string;
  type?: string;
  level?: Level;
  /** True if the email address is confirmed. */
  confirmed?: boolean;
  /** First and last day of registration, `YYYY-MM-DD` in UTC. */
  from?: string;
  to?: string;
}

/**
 * Returns a function that tests whether a contact matches every filter except the level, which its
 * row stores.
 */
export function createMatcher(
  { text, type, confirmed, from, to }: RecordFilters,
): (contact: StoredContact, hash: string) => boolean {
  const words = text === undefined ? [] : fold(text).split(/\s+/).filter((word) => word !== "");
  const beginning = words.length === 1 && /^[\da-f]{4,64}$/.test(words[0]) ? words[0] : null;
  const hasWords = ({ name, organisation = "", email }: StoredContact["record"], hash: string) => {
    if (beginning !== null && hash.startsWith(beginning)) return true;
    const folded = fold(`${name}\n${organisation}\n${email}`);
    return words.every((word) => folded.includes(word));
  };
  return ({ record, confirmed_at, registered_at }, hash) =>
    (type === undefined || record.enquiry_type === type) &&
    (confirmed === undefined || (confirmed_at !== null) === confirmed) &&
    (from === undefined || registered_at >= from) &&
    (to === undefined || registered_at < `${to}Z`) &&
    (words.length === 0 || hasWords(record, hash));
}

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** Removes case and accents, so that `zoe` finds `Zoë`. */
function fold(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase()
    : text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
