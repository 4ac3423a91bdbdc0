/**
 * The part of recipients in the deletion and correction of their record.
 *
 * @module
 */
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import type { RecordData } from "../records/mod.ts";
import { endFollowing, findFollowed, isFollowed } from "./followed.ts";
import { aboutRecipient, BY_RECORD, recipients, type Store } from "./recipients.ts";

/** The holder's download contains their name and address as the issuers gave them. */
export const recipientData = (
  { kv, secrets, idempotency }: Store & {
    idempotency: { forget(recipient: string): Promise<void> };
  },
): RecordData => ({
  name: "recipients",
  async deleteOf(hash) {
    for (const { value } of await recipients.find(kv, BY_RECORD, [hash])) {
      const { id } = value;
      // Otherwise, the next document would go into another record that has accepted one at this mailbox.
      if (isFollowed(value)) await endFollowing({ kv, secrets }, value);
      await forgetDeliveries(kv, aboutRecipient(id));
      await idempotency.forget(id);
    }
  },
  /** Somebody else may have accepted documents into a correction that is undone, so later ones ask again. */
  async move(from, _to, undoneSince) {
    if (undoneSince === undefined) return;
    for (const { value } of await findFollowed(kv, from)) {
      if (value.state_at >= undoneSince) await endFollowing({ kv, secrets }, value);
    }
  },
  async download(hash) {
    const rows = await recipients.find(kv, BY_RECORD, [hash]);
    return {
      named_by_issuers: rows.map(({ value }) => ({
        issuer: value.issuer,
        name: value.name,
        email: value.email,
        created_at: value.created_at,
        adds_later_documents: isFollowed(value),
      })),
    };
  },
});
