import type { Enquiry } from "../../contact/mod.ts";
import type { RecordEntry } from "../record/store.ts";

/** The contact data that must be confirmed before a correction takes effect. */
export type Waiting = "email" | "mobile";

/** Returns what must be confirmed before corrected data takes effect. */
export function waitingFor(before: Enquiry, after: Enquiry): Waiting | null {
  if (after.email !== before.email) return "email";
  return after.mobile !== undefined && after.mobile !== before.mobile ? "mobile" : null;
}

/** Returns what a correction still waits for. */
export function stillWaiting(old: RecordEntry, next: RecordEntry): Waiting | null {
  const waits = waitingFor(old.contact.value.record, next.contact.value.record);
  const done = waits === "email"
    ? next.contact.value.confirmed_at !== null
    : next.row.mobile_confirmed_at !== null;
  return waits === null || done ? null : waits;
}
