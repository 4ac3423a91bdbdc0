import { type Expiring, expiring } from "../../platform/kv/mod.ts";
import { removeAll } from "./access_links.ts";
import { type AccessRequestRow, personKey, requestEntry } from "./access_requests.ts";

/**
 * The most requests for one document whose addresses are not confirmed. Each new one then deletes the
 * oldest: anybody can send such requests, so they must neither fill the store nor keep others out.
 */
export const MAX_UNCONFIRMED = 100;

/** The row `["access_unconfirmed", document]`. */
interface UnconfirmedRow extends Expiring {
  /** The ids of the latest requests, oldest first. Some were confirmed since. */
  requests: string[];
}

const keyOf = (document: string): Deno.KvKey => ["access_unconfirmed", document];

/** Adds a new request to the document's list in its commit, and deletes the oldest if there are too many. */
export async function addUnconfirmed(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { id, document, expires_at }: AccessRequestRow,
  now: number,
): Promise<void> {
  const entry = await kv.get<UnconfirmedRow>(keyOf(document));
  const requests = [...entry.value?.requests ?? [], id];
  if (requests.length > MAX_UNCONFIRMED) await removeUnconfirmed(kv, commit, requests.shift()!);
  const row: UnconfirmedRow = { requests, expires_at };
  commit.check(entry).set(entry.key, row, expiring(row, now));
}

async function removeUnconfirmed(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  id: string,
): Promise<void> {
  const entry = await requestEntry(kv, id);
  const row = entry.value;
  if (row?.state !== "requested") return;
  const person = await kv.get<string>(personKey(row.document, row.mac));
  removeAll(commit.check(entry, person), row);
  if (person.value === id) commit.delete(person.key);
}

/** Adds the deletion of a document's list, but not of its requests, to a commit. */
export function deleteUnconfirmed(commit: Deno.AtomicOperation, document: string): void {
  commit.delete(keyOf(document));
}
