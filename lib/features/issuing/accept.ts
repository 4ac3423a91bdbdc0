import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { type Chains } from "../chain/store/mod.ts";
import {
  type ContactIndex,
  contacts,
  enquirySchema,
  registerPerson,
  renewConfirmation,
} from "../contact/mod.ts";
import type { DocumentRow, Documents } from "../documents/mod.ts";
import type { Issuers } from "../issuers/mod.ts";
import type { EmailConfirmations, LinkUse } from "../records/mod.ts";
import { type AcceptLink, isAcceptLink } from "./accept_link.ts";
import { changeRecipient, type Recipient, recipientAt, recipients } from "./recipients.ts";
import type { Settle } from "./settle.ts";

/** A recipient with the documents that the issuer has issued to them. */
export interface Offer {
  recipient: Recipient;
  documents: DocumentRow[];
}

export type OpenedOffer = { ok: true } & Offer | Failure<"not_found">;

/** The actions of a recipient with the link in the mail. */
export interface Acceptance {
  /** Reads a link without changing anything, because mail scanners open links too. */
  read(link: AcceptLink): Promise<OpenedOffer>;
  /**
   * Accepts all waiting documents: registers the record of this issuer and address, confirms the address,
   * and signs in. Repeating it changes nothing.
   *
   * @returns `cookie` is the `Set-Cookie` value of the session; null if the link signed in before
   */
  accept(link: AcceptLink, use: LinkUse): Promise<OpenedOffer & { cookie?: string | null }>;
  /** Says that the documents are for somebody else. The name, the address and the files are erased. */
  refuse(link: AcceptLink): Promise<OpenedOffer>;
}

export interface AcceptanceOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  chains: Chains;
  index: ContactIndex;
  documents: Pick<Documents, "ofRecipient">;
  issuers: Issuers;
  emails: Pick<EmailConfirmations, "confirm">;
  settle: Settle;
}

export function createAcceptance(options: AcceptanceOptions): Acceptance {
  const { kv, clock, secrets, documents, emails, settle } = options;

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

  /** Returns whether a recipient can still accept or refuse. */
  const waits = (recipient: Recipient | null): recipient is Recipient =>
    recipient !== null && recipientAt(recipient, clock()).state === "waiting";

  /** Changes the state of a waiting recipient, unless something else has changed it. */
  const leave = (
    id: string,
    changes: (before: Recipient, at: string) => Partial<Recipient> | null,
  ) =>
    transact<boolean>(async () => {
      const entry = await recipients.get(kv, id);
      if (!waits(entry.value)) return { result: false };
      const at = new Date(clock()).toISOString();
      const changed = changes(entry.value, at);
      if (changed === null) return { result: false };
      const commit = kv.atomic();
      changeRecipient(commit, entry, { ...changed, state_at: at, due_at: at });
      return { result: true, commit };
    });

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
      unchecked("The record of a recipient never changes.", entry);
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
    async accept(link, use) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.state !== "waiting" || offer.recipient.test) return offer;
      const token = await registerFor(offer);
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
      await settle(link.id);
      const opened = await read(link);
      return opened.ok ? { ...opened, cookie: confirmed?.cookie ?? null } : opened;
    },
    async refuse(link) {
      const offer = await read(link);
      if (!offer.ok || offer.recipient.test) return offer;
      // Somebody who has accepted deletes the record instead.
      await leave(
        link.id,
        ({ record }) => record !== null ? null : { state: "refused", name: null, email: null },
      );
      await settle(link.id);
      return await read(link);
    },
  };
}
