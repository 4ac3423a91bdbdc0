/**
 * The documents that wait for a recipient, as the mailed link leads to them.
 *
 * @module
 */
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { transact } from "../../platform/kv/mod.ts";
import {
  type DocumentRow,
  type Documents,
  latestVersion,
  type OpenDocument,
} from "../documents/mod.ts";
import { type AcceptLink, isAcceptLink } from "./accept_link.ts";
import { changeRecipient, type Recipient, recipientAt, recipients } from "./recipients.ts";

/** A recipient with the documents that the issuer has issued to them. */
export interface Offer {
  recipient: Recipient;
  documents: DocumentRow[];
}

export type OpenedOffer = { ok: true } & Offer | Failure<"not_found">;

/** The waiting documents of recipients, as their links lead to them. */
export interface Offers {
  /** Reads a link without changing anything, because mail scanners open links too. */
  read(link: AcceptLink): Promise<OpenedOffer>;
  /** Returns the newest version of a document that waits; null if there is no such document, or it waits no more. */
  look(link: AcceptLink, document: string): Promise<OpenDocument | null>;
  /** Returns whether a recipient can still accept or refuse. */
  waits(recipient: Recipient | null): recipient is Recipient;
  /**
   * Changes the state of a waiting recipient, unless something else has changed it.
   *
   * @param changes returns what changes, and may add to the commit; null if nothing does. It runs again if the commit
   * fails.
   * @returns the failure that `changes` has returned, if it has
   */
  leave<Refused extends Failure = never>(
    id: string,
    changes: (
      before: Recipient,
      commit: Deno.AtomicOperation,
    ) => Promise<Partial<Recipient> | Refused | null> | Partial<Recipient> | null,
  ): Promise<Refused | null>;
}

export interface OffersOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  documents: Pick<Documents, "ofRecipient" | "idsOfRecipient">;
}

export function createOffers({ kv, clock, secrets, documents }: OffersOptions): Offers {
  async function read(link: AcceptLink): Promise<OpenedOffer> {
    if (!await isAcceptLink(secrets, link)) return fail("not_found");
    const [{ value }, found] = await Promise.all([
      recipients.get(kv, link.id),
      documents.ofRecipient(link.id),
    ]);
    return value === null || found.length === 0
      ? fail("not_found")
      : { ok: true, recipient: recipientAt(value, clock()), documents: found };
  }

  const waits = (recipient: Recipient | null): recipient is Recipient =>
    recipient !== null && recipientAt(recipient, clock()).state === "waiting";

  return {
    read,
    waits,
    async look(link, id) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.state !== "waiting") return null;
      const document = offer.documents.find((each) => each.id === id);
      return document === undefined
        ? null
        : { document, version: latestVersion(document), permission: "recipient" };
    },
    leave: (id, changes) =>
      transact(async () => {
        const entry = await recipients.get(kv, id);
        if (!waits(entry.value)) return { result: null };
        const at = new Date(clock()).toISOString();
        const commit = kv.atomic();
        const changed = await changes(entry.value, commit);
        if (changed === null) return { result: null };
        if ("ok" in changed) return { result: changed };
        changeRecipient(commit, entry, { ...changed, state_at: at, due_at: at });
        return { result: null, commit };
      }),
  };
}
