/**
 * Keeps the receipts of this tab in its session storage, which lasts as long as the tab: hashes, masked
 * fields and URLs. Where a page has no storage (a sandboxed frame), they last as long as the page.
 *
 * The island imports this file on every page, so it imports only types.
 *
 * @module
 */
import type { Receipt } from "./responses.ts";

/** The receipts, the newest first, and whether the note with them is folded. */
export interface Records {
  receipts: readonly Receipt[];
  folded: boolean;
}

/** A page may have the forms of several endpoints. */
const keyOf = (endpoint: string) => `contact-form:${endpoint}`;

/** Returns whether this tab has records to show. */
export function hasRecords(endpoint: string): boolean {
  try {
    return sessionStorage.getItem(keyOf(endpoint)) !== null;
  } catch {
    return false;
  }
}

/**
 * @param read checks a receipt: other scripts of the page can write to the storage too
 */
export function loadRecords(
  endpoint: string,
  read: (value: unknown) => Receipt | null,
): Records {
  try {
    const { receipts, folded } = JSON.parse(sessionStorage.getItem(keyOf(endpoint))!);
    return { receipts: receipts.map(read).filter(Boolean), folded: folded === true };
  } catch {
    return { receipts: [], folded: false };
  }
}

export function saveRecords(endpoint: string, records: Records): void {
  try {
    sessionStorage.setItem(keyOf(endpoint), JSON.stringify(records));
  } catch {
    // blocked or full
  }
}
