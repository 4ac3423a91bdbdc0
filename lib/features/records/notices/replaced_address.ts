/** The addresses that corrections have replaced, and until when they can undo that. */
import { unchecked } from "../../../platform/kv/mod.ts";
import { DAY_MS } from "../../../base/time.ts";
import { readRecord, type RecordEntry } from "../record/store.ts";
import { UNDO_LIFETIME_MS } from "./delays.ts";

/**
 * How long an address that was replaced gets a new link if an address that came later undoes a
 * correction: as long as its own link worked, and then the link of an address that replaced it.
 */
export const RENEWED_MS = 2 * UNDO_LIFETIME_MS;

/** Earlier replacements cannot be undone, however often they were renewed. */
const HORIZON_MS = 42 * DAY_MS;

/** Why the records before one in force are not checked. */
export const IN_CHAIN = "Every change of the chain changes or checks the record in force.";

/** A record whose confirmed address was replaced. Times are in milliseconds since 1970. */
interface ReplacedAddress {
  record: RecordEntry;
  at: number;
  /** The time until which the address can undo the replacement; null if it cannot. */
  until: number | null;
}

/** Returns the records before a record whose address was replaced, newest first. */
export async function replacedAddresses(
  kv: Deno.Kv,
  record: RecordEntry,
  now: number,
): Promise<ReplacedAddress[]> {
  const found: ReplacedAddress[] = [];
  let next = record;
  while (next.row.replaces !== null) {
    const before = await readRecord(kv, next.row.replaces);
    if (before === null) break;
    // Those that are not returned: the caller checks the others, or says why not.
    const pass = () => unchecked(IN_CHAIN, before.contact, before.entry);
    const { registered_at, record: { email } } = next.contact.value;
    const at = Date.parse(before.row.replaced_at ?? registered_at);
    if (at + HORIZON_MS <= now) {
      pass();
      break;
    }
    if (before.contact.value.record.email !== email) {
      const { undo_until: until } = before.row;
      const end = until === undefined ? at + UNDO_LIFETIME_MS : until && Date.parse(until);
      found.push({ record: before, at, until: end || null });
    } else pass();
    next = before;
  }
  return found;
}

/**
 * Returns until when an address that was replaced can undo its replacement.
 *
 * @param record a record in force
 * @returns ISO 8601 in UTC; null if no address can
 */
export async function undoableUntil(
  kv: Deno.Kv,
  record: RecordEntry,
  now: number,
): Promise<string | null> {
  const ends = (await replacedAddresses(kv, record, now)).map(({ until }) => until ?? 0);
  const end = Math.max(0, ...ends);
  return end <= now ? null : new Date(end).toISOString();
}

/**
 * Returns whether an address is the oldest one that can undo its replacement. Then a correction to it
 * does what its link would do, so the address that it replaces gets no link.
 *
 * @param record the record that is corrected
 */
export async function isReturn(
  kv: Deno.Kv,
  record: RecordEntry,
  email: string,
  now: number,
): Promise<boolean> {
  if (email === record.contact.value.record.email) return false;
  const before = await replacedAddresses(kv, record, now);
  for (const { record: { contact, entry } } of before) {
    unchecked(IN_CHAIN, contact, entry);
  }
  const live = before.filter(({ until, record }) =>
    (until ?? 0) > now && record.contact.value.confirmed_at !== null
  );
  return live.at(-1)?.record.contact.value.record.email === email;
}
