/**
 * The requests whose addresses are not confirmed, of which a document keeps a limited number.
 *
 * @module
 */
import { z } from "zod";
import { countIn, defineTable, expires, EXPIRING, unchecked } from "../../../platform/kv/mod.ts";
import { HOUR_MS, inDays } from "../../../base/time.ts";
import { removeAll } from "./confirmations.ts";
import {
  type AccessRequestRow,
  CONFIRMATION_LIFETIME_MS,
  personKey,
  requests,
} from "./requests.ts";

/**
 * The most requests for one document whose addresses are not confirmed, apart from those of the last
 * hour. New ones then delete the oldest of the client that sent most of them: anybody can send such
 * requests, so they must neither fill the store nor keep others out.
 */
export const MAX_UNCONFIRMED = 100;

/** How long no request is deleted, whoever sends others, so that a person can use the mailed link. */
export const UNCONFIRMED_SAFE_MS = HOUR_MS;

/**
 * The most requests for one document in {@link UNCONFIRMED_SAFE_MS}; further ones are refused. The row
 * with the list then takes about 50 KB of the 64 KiB that a value can have.
 */
export const MAX_SAFE = 500;

/** The most that one commit deletes. It has two checks for each, and a commit has at most nine. */
const DELETED_AT_ONCE = 2;

const unconfirmedRequest = z.strictObject({
  id: z.string(),
  /** A keyed hash of the network that sent it, see `siteKey`. */
  client: z.string(),
  /** When it was sent, in milliseconds since 1970. Rows of older builds lack it and count as old. */
  at: z.number().optional(),
});

/** The latest requests for each document whose addresses were not confirmed when they were sent. */
export const unconfirmed = defineTable({
  prefix: "access_unconfirmed",
  value: z.strictObject({
    /** The requests, oldest first. Some may have been confirmed since. */
    requests: z.array(unconfirmedRequest),
    ...EXPIRING,
  }),
  key: ["document"],
  owner: "nobody",
  lifetime: expires(inDays(CONFIRMATION_LIFETIME_MS)),
  per: "document that was asked for",
  privacy: { section: "document_access", label: "Your request" },
});

/**
 * Adds a new request to the document's list in its commit, and deletes old ones if there are too many.
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
  countIn(kv, unconfirmed.key(document));
  const entry = await unconfirmed.get(kv, document);
  const latest = [...entry.value?.requests ?? [], { id, client, at: now }];
  const surplus = Math.min(latest.length - MAX_UNCONFIRMED, DELETED_AT_ONCE);
  for (let i = 0; i < surplus; i++) {
    const index = leastNeeded(latest, now);
    if (index === -1) break;
    const [removed] = latest.splice(index, 1);
    await removeUnconfirmed(kv, commit, removed.id);
  }
  unconfirmed.put(commit.check(entry), [document], { requests: latest, expires_at }, now);
}

/**
 * Returns the index of the oldest request of the client that sent most of them, among the clients
 * with a request that may be deleted; -1 if there is none.
 */
function leastNeeded(
  latest: readonly z.infer<typeof unconfirmedRequest>[],
  now: number,
): number {
  const counts = new Map<string, number>();
  for (const { client } of latest) counts.set(client, (counts.get(client) ?? 0) + 1);
  let found = -1;
  latest.forEach(({ client, at = 0 }, i) => {
    if (now - at < UNCONFIRMED_SAFE_MS) return;
    if (found === -1 || counts.get(client)! > counts.get(latest[found].client)!) found = i;
  });
  return found;
}

async function removeUnconfirmed(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  id: string,
): Promise<void> {
  const entry = await requests.get(kv, id);
  const row = entry.value;
  if (row?.state !== "requested") {
    unchecked("A request that was confirmed or deleted stays so.", entry);
    return;
  }
  const person = await kv.get<string>(personKey(row.document, row.mac));
  removeAll(commit.check(entry, person), row);
  if (person.value === id) commit.delete(person.key);
}
