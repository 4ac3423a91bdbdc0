/** The mails with the links that confirm an address: of which a mailbox gets a few per hour. */
import { mailboxOf } from "../../base/email.ts";
import type { Secrets } from "../../base/secrets.ts";
import { readSlot, type Slot } from "../../platform/kv/mod.ts";
import {
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { renewConfirmation } from "./confirm.ts";
import { CONFIRMATION_LIFETIME_MS } from "./confirmations.ts";
import type { Enquiry } from "./fields.ts";
import { mailboxLinks } from "./limits.ts";
import { confirmationMail } from "./mails.ts";
import { ownerOf } from "./owner.ts";
import { aboutContact, type StoredContact } from "./store.ts";
import type { ContactUrls } from "./urls.ts";

export interface ConfirmationMailOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  mailer: Mailer;
  organisations: Record<OrganisationKey, MailOrganisation>;
}

/**
 * Reads the limit of confirmation links for a mailbox, so that the link can be counted in its commit.
 * Anyone can enter any address, from many networks, and must not be able to flood its mailbox.
 */
export async function linkSlot(
  { kv, secrets }: Pick<ConfirmationMailOptions, "kv" | "secrets">,
  email: string,
  now: number,
): Promise<Slot> {
  // Signed, because addresses can be guessed, and the count would reveal who has written.
  const by = { secrets, purpose: "contact-mailbox" } as const;
  return await readSlot(kv, await mailboxLinks.signed(by, mailboxOf(email), []), now);
}

/** Adds a new confirmation link for a record to a commit, and its mail, in place of the previous one. */
export function addConfirmation(
  options: ConfirmationMailOptions,
  commit: Deno.AtomicOperation,
  hash: string,
  entry: Deno.KvEntry<StoredContact>,
  urls: ContactUrls,
): Promise<QueuedMail> {
  const now = options.clock();
  const token = renewConfirmation(commit, hash, entry, now);
  const { email } = entry.value.record;
  return addMail(options, commit, { hash, token, email, key: ownerOf(entry.value), urls, now });
}

/** Returns the function that adds the confirmation link of an enquiry to its commit. */
export const mailsOf = (
  options: ConfirmationMailOptions,
  { email }: Enquiry,
  key: OrganisationKey,
  urls: ContactUrls,
) =>
async (
  commit: Deno.AtomicOperation,
  { hash, token, now }: { hash: string; token: string; now: number },
): Promise<QueuedMail[]> => {
  const slot = await linkSlot(options, email, now);
  if (slot.waitMs > 0) return [];
  slot.take(commit);
  return [await addMail(options, commit, { hash, token, email, key, urls, now })];
};

function addMail(
  { mailer, organisations }: Pick<ConfirmationMailOptions, "mailer" | "organisations">,
  commit: Deno.AtomicOperation,
  { hash, token, email, key, urls, now }: {
    hash: string;
    token: string;
    email: string;
    key: OrganisationKey;
    urls: ContactUrls;
    now: number;
  },
): Promise<QueuedMail> {
  const mail = confirmationMail({
    sender: senderOf(organisations, key),
    to: email,
    link: urls.confirm(token),
    verifyUrl: urls.verify(hash),
    myRecordUrl: urls.myRecord,
  });
  const expiresAt = now + CONFIRMATION_LIFETIME_MS;
  return mailer.add(commit, mail, { expiresAt, about: aboutContact(hash), kind: "confirmation" });
}
