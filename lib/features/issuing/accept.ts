/**
 * The acceptance of waiting documents with the link in the mail.
 *
 * @module
 */
import { transact, unchecked } from "../../platform/kv/mod.ts";
import type { Chains } from "../chain/mod.ts";
import {
  type ContactIndex,
  contacts,
  enquirySchema,
  registerPerson,
  renewConfirmation,
} from "../contact/mod.ts";
import type { Issuers } from "../issuers/mod.ts";
import type { EmailConfirmations, LinkUse } from "../records/mod.ts";
import type { AcceptLink } from "./accept_link.ts";
import { type Additions, createAddition } from "./add_to_record.ts";
import {
  createOffers,
  type Offer,
  type Offers,
  type OffersOptions,
  type OpenedOffer,
} from "./offers.ts";
import { changeRecipient, recipients } from "./recipients.ts";
import type { FinishRecipient } from "./finish_recipient.ts";

/** A recipient who registers a record, and the session that this gives the browser. */
export type Accepted = OpenedOffer & {
  /**
   * The `Set-Cookie` value of the session. Null if the link has signed in before, or if the browser is signed in with
   * another address, which it stays.
   */
  cookie?: string | null;
  /** True if the session has the new record open, see `EmailConfirmation`. */
  openedRecord?: boolean;
};

/**
 * The actions of a recipient with the link in the mail. The link alone reaches no record that exists: whoever it was
 * forwarded to can register a new one at most.
 */
export interface Acceptance extends Pick<Offers, "read" | "look">, Additions {
  /**
   * Accepts all waiting documents: registers a record for them, confirms the address, and signs in. Repeating it
   * changes nothing.
   */
  accept(link: AcceptLink, use: LinkUse): Promise<Accepted>;
  /** Says that the documents are for somebody else. The name, the address and the files are erased. */
  refuse(link: AcceptLink): Promise<OpenedOffer>;
}

export interface AcceptanceOptions extends OffersOptions {
  chains: Chains;
  index: ContactIndex;
  issuers: Issuers;
  emails: Pick<EmailConfirmations, "confirm">;
  finishRecipient: FinishRecipient;
}

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { kv, clock, emails, finishRecipient } = options;
  const offers: Offers = createOffers(options);
  const { read, leave, waits } = offers;

  /** Registers the record of a recipient. Returns the token that confirms its address, if that is open. */
  async function registerFor(
    { recipient: { id, name, email }, documents: [document] }: Offer,
  ): Promise<string | null> {
    const enquiry = enquirySchema.parse({ name, email });
    const registered = await registerPerson(
      options,
      { enquiry, organisation: document.organisation },
      async (commit, hash) => {
        const entry = await recipients.get(kv, id);
        if (!waits(entry.value) || entry.value.record !== null) return false;
        changeRecipient(commit, entry, { record: hash });
      },
    );
    return registered?.token ?? await renewToken(id);
  }

  /** Returns a new token for a record that was registered before, but not confirmed. */
  const renewToken = (id: string) =>
    transact<string | null>(async () => {
      const entry = await recipients.get(kv, id);
      unchecked("Confirming a record harms nobody if another one has the documents by now.", entry);
      const hash = entry.value?.record;
      const contact = hash ? await contacts.get(kv, hash) : null;
      if (contact === null || contact.value === null || contact.value.confirmed_at !== null) {
        return { result: null };
      }
      const commit = kv.atomic();
      return { result: renewConfirmation(commit, hash!, contact, clock()), commit };
    });

  return {
    read,
    look: offers.look,
    ...createAddition({ ...options, offers }),
    async accept(link, use) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.state !== "waiting" || offer.recipient.test) return offer;
      const token = await registerFor(offer);
      // Without the time of the mail, the link counts as old, so that the sign-in is not a recent one.
      const mailedAt = offer.recipient.mailed_at.at(-1);
      const confirmed = token === null
        ? null
        : await emails.confirm(token, { ...use, linkAt: mailedAt && Date.parse(mailedAt) || 0 });
      const isConfirmed = async (hash: string) =>
        (await contacts.get(kv, hash)).value?.confirmed_at ? true : false;
      const { record } = (await recipients.get(kv, link.id)).value ?? { record: null };
      if (record !== null && await isConfirmed(record)) {
        await leave(link.id, () => ({ state: "accepted" }));
      }
      await finishRecipient(link.id);
      const opened = await read(link);
      const { cookie = null, opened: openedRecord = false } = confirmed ?? {};
      return opened.ok ? { ...opened, cookie, openedRecord } : opened;
    },
    async refuse(link) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.test) return offer;
      // Somebody who has accepted deletes the record instead.
      await leave(
        link.id,
        ({ record }) => record !== null ? null : { state: "refused", name: null, email: null },
      );
      await finishRecipient(link.id);
      return await read(link);
    },
  };
}
