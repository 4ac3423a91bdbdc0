/** Reads one enquiry with its record, and adds an entry to its history. */
import { unchecked } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ownerOf } from "../contact/mod.ts";
import { readRecordOf, type RecordEntry, waitsToCorrect } from "../records/mod.ts";
import { type EnquiryState, stateAfter } from "./states.ts";
import { changeInbox, enquiries, type EnquiryRow, entries, type Entry } from "./store.ts";

/** An enquiry with its record, as entries that a commit can check. */
export interface Enquiry {
  record: RecordEntry;
  entry: Deno.KvEntryMaybe<EnquiryRow>;
  /** The stored row; that of a closed enquiry if a correction has moved it away. */
  row: EnquiryRow;
}

/** The number of entries after which an enquiry can only be closed. */
export const MOST_ENTRIES = 500;

/**
 * Reads an enquiry of an organisation; null if it was deleted, is a correction that waits, or if its record was
 * registered without one, when somebody accepted a document.
 */
export async function readEnquiry(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  hash: string,
): Promise<Enquiry | null> {
  const [record, entry] = await Promise.all([
    readRecordOf(kv, organisation, hash),
    enquiries.get(kv, hash),
  ]);
  if (record === null || await waitsToCorrect(kv, record)) return null;
  const row = entry.value ?? (record.row.replaced_by === null ? null : movedFrom(record));
  return row && { record, entry, row };
}

/** Returns the row of the enquiry of a record that a correction has replaced. The stored one is with the correction. */
const movedFrom = ({ hash, contact: { value } }: Pick<RecordEntry, "hash" | "contact">) =>
  ({
    record: hash,
    organisation: ownerOf(value),
    at: value.registered_at,
    state: "closed",
    owner: null,
    revision: 0,
  }) satisfies EnquiryRow;

type Omitted = "record" | "seq" | "at" | "state";
/** The part of an entry that is known before it is added. */
export type NewEntry = Entry extends infer Each ? Each extends Entry ? Omit<Each, Omitted> : never
  : never;

/** Adds an entry, and what it changes, to a commit. The commit checks the record and the enquiry. */
export function addEntry(
  commit: Deno.AtomicOperation,
  { record, entry: before, row }: Enquiry,
  added: NewEntry,
  { owner = row.owner, state = stateAfter(added.change, row.state), now }: {
    owner?: string | null;
    state?: EnquiryState;
    now: number;
  },
): void {
  const revision = row.revision + 1;
  unchecked("Only that the record exists matters.", record.entry);
  commit.check(record.contact);
  if (before.value !== null) enquiries.delete(commit, before.value);
  enquiries.replace(commit, before, { ...row, state, owner, revision });
  const at = new Date(now).toISOString();
  entries.set(commit, { ...added, record: row.record, seq: revision, at, state } as Entry);
  changeInbox(commit, row.organisation);
}
