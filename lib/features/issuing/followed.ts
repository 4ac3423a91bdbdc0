/**
 * The recipients whose later documents go into the record of the first one at once, until the holder ends it.
 *
 * @module
 */
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { acceptedAt } from "./mailbox.ts";
import {
  BY_RECORD,
  changeRecipient,
  type Recipient,
  recipients,
  type Store,
} from "./recipients.ts";

/** Returns whether the recipient's later documents go into the record at once, which its holder can end. */
export const isFollowed = ({ state, mac }: Recipient): boolean =>
  state === "accepted" && mac !== null;

/** Returns the entries of the recipients whose later documents go into a record at once. */
export const findFollowed = async (
  kv: Deno.Kv,
  record: string,
): Promise<Deno.KvEntry<Recipient>[]> =>
  (await recipients.find(kv, BY_RECORD, [record])).filter(({ value }) => isFollowed(value));

/** Reads a recipient who has accepted, as an entry that a commit can check; null if the holder has ended it since. */
export async function readAccepted(
  kv: Deno.Kv,
  id: string,
): Promise<Deno.KvEntryMaybe<Recipient> | null> {
  const entry = await recipients.get(kv, id);
  if (entry.value !== null && isFollowed(entry.value) && entry.value.record !== null) return entry;
  unchecked("Without an acceptance, the document waits.", entry);
  return null;
}

/**
 * Ends that an issuer's later documents to a mailbox go into records at once, also into other records than the
 * recipient's: whoever has accepted at another address of the mailbox may be somebody else, so only an acceptance
 * from now on counts. The rows stay, because the documents in the records have their name and address from them.
 *
 * The rows of the recipient's own record end last. So no document to their address gets into another record meanwhile,
 * and a call that was interrupted is repeated with what is left.
 *
 * @param addToCommit adds to each commit that ends a row of the recipient's record
 */
export async function endFollowing(
  store: Store,
  { id, record, issuer, test, email }: Recipient,
  addToCommit?: (commit: Deno.AtomicOperation) => void,
): Promise<void> {
  const { kv } = store;
  // A document that is being issued may add a row, as long as there is one that it follows.
  for (let ended = true; ended;) {
    const found = email === null ? [] : await acceptedAt(store, { issuer, test, email });
    const ids = Array.from(new Set([...found, id]), (id): [string] => [id]);
    const rows = (await recipients.getMany(kv, ids)).map(({ value }) => value);
    const [own, others] = [true, false].map((isOwn) =>
      rows.filter((row) => (row.record === record) === isOwn)
    );
    ended = false;
    for (const row of others) ended = await endRow(kv, row) || ended;
    for (const row of own) ended = await endRow(kv, row, addToCommit) || ended;
  }
}

/** Ends it for one row, unless it has ended. Returns whether it had not. */
const endRow = (
  kv: Deno.Kv,
  { id, record }: Recipient,
  addToCommit?: (commit: Deno.AtomicOperation) => void,
): Promise<boolean> =>
  transact(async () => {
    const entry = await recipients.get(kv, id);
    const { value } = entry;
    if (value === null || value.record !== record || !isFollowed(value)) return { result: false };
    const commit = kv.atomic();
    changeRecipient(commit, entry, { mac: null, mailbox: null });
    addToCommit?.(commit);
    return { result: true, commit };
  });
