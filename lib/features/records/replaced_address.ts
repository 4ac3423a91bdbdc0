import { readRecord, type RecordEntry } from "./store.ts";
import { UNDO_LIFETIME_MS } from "./undo.ts";

/**
 * Returns until when an address that was replaced can undo its replacement.
 *
 * @param record a record in force
 * @returns ISO 8601 in UTC; null if no address was replaced within the last seven days
 */
export async function undoableUntil(
  kv: Deno.Kv,
  record: RecordEntry,
  now: number,
): Promise<string | null> {
  let next = record;
  while (next.row.replaces !== null) {
    const before = await readRecord(kv, next.row.replaces);
    if (before === null) return null;
    const { registered_at, record: { email } } = next.contact.value;
    const until = Date.parse(before.row.replaced_at ?? registered_at) + UNDO_LIFETIME_MS;
    if (until <= now) return null; // earlier corrections took effect even earlier
    if (before.contact.value.record.email !== email) return new Date(until).toISOString();
    next = before;
  }
  return null;
}
