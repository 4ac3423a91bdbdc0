import { type Expiring, expiring } from "../../platform/kv/mod.ts";
import { removeAll } from "./access_links.ts";
import { type AccessRequestRow, personKey, requestEntry } from "./access_requests.ts";

/**
 * The most requests for one document whose addresses are not confirmed. Each new one then deletes the
 * oldest of the client that sent most of them: anybody can send such requests, so they must neither
 * fill the store nor keep others out.
 */
export const MAX_UNCONFIRMED = 100;

/** The row `["access_unconfirmed", document]`. */
interface UnconfirmedRow extends Expiring {
  /** The latest requests, oldest first. Some were confirmed since. */
  requests: Unconfirmed[];
}

interface Unconfirmed {
  id: string;
  /** A keyed hash of the network address that sent it. */
  client: string;
}

const keyOf = (document: string): Deno.KvKey => ["access_unconfirmed", document];

/**
 * Adds a new request to the document's list in its commit, and deletes one if there are too many.
 *
 * @param client identifies the client that sent it
 */
export async function addUnconfirmed(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { id, document, expires_at }: AccessRequestRow,
  client: string,
  now: number,
): Promise<void> {
  const entry = await kv.get<UnconfirmedRow>(keyOf(document));
  const requests = [...entry.value?.requests ?? [], { id, client }];
  if (requests.length > MAX_UNCONFIRMED) {
    const [removed] = requests.splice(leastNeeded(requests), 1);
    await removeUnconfirmed(kv, commit, removed.id);
  }
  const row: UnconfirmedRow = { requests, expires_at };
  commit.check(entry).set(entry.key, row, expiring(row, now));
}

/** Returns the index of the oldest request of the client that sent most of them. */
function leastNeeded(requests: readonly Unconfirmed[]): number {
  const counts = new Map<string, number>();
  for (const { client } of requests) counts.set(client, (counts.get(client) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return requests.findIndex(({ client }) => counts.get(client) === most);
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
