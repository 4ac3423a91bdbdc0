import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import type { LinkedData } from "../records/mod.ts";
import { endFollowing, findFollowed, isFollowed } from "./followed.ts";
import { aboutRecipient, BY_RECORD, recipients } from "./recipients.ts";

/** The holder's download contains their name and address as the issuers gave them. */
export const recipientData = (
  { kv, idempotency }: { kv: Deno.Kv; idempotency: { forget(recipient: string): Promise<void> } },
): LinkedData => ({
  name: "recipients",
  async deleteOf(hash) {
    for (const { value: { id } } of await recipients.find(kv, BY_RECORD, [hash])) {
      await forgetDeliveries(kv, aboutRecipient(id));
      await idempotency.forget(id);
    }
  },
  /** What somebody has accepted into a correction that is undone may be theirs, so it asks again. */
  async move(from, _to, undoneSince) {
    if (undoneSince === undefined) return;
    for (const { value: { id, state_at } } of await findFollowed(kv, from)) {
      if (state_at >= undoneSince) await endFollowing(kv, id, from);
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
