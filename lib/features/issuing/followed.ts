/**
 * The recipients whose later documents go into the record of the first one at once, until the holder ends it.
 *
 * @module
 */
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { BY_RECORD, changeRecipient, type Recipient, recipients } from "./recipients.ts";

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
 * Ends that a recipient's later documents go into the record at once, unless that has ended. The row stays, because the
 * documents in the record have their name and address from it.
 *
 * @param addToCommit adds to the commit that ends it
 */
export const endFollowing = (
  kv: Deno.Kv,
  id: string,
  record: string,
  addToCommit?: (commit: Deno.AtomicOperation) => void,
): Promise<void> =>
  transact(async () => {
    const entry = await recipients.get(kv, id);
    const { value } = entry;
    if (value === null || value.record !== record || !isFollowed(value)) {
      return { result: undefined };
    }
    const commit = kv.atomic();
    changeRecipient(commit, entry, { mac: null, mailbox: null });
    addToCommit?.(commit);
    return { result: undefined, commit };
  });
