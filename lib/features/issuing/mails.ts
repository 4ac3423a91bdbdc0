import { DAY_MS, formatDay } from "../../base/time.ts";
import type { Secrets } from "../../base/secrets.ts";
import {
  checkMail,
  createMail,
  type Mail,
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { aboutContact } from "../contact/mod.ts";
import type { DocumentRow } from "../documents/mod.ts";
import { readCurrentRecord } from "../records/mod.ts";
import { acceptPath } from "./accept_link.ts";
import { limitsOf } from "./mail_limits.ts";
import { aboutRecipient, type Recipient } from "./recipients.ts";

export interface RecipientMailsOptions {
  kv: Deno.Kv;
  mailer: Mailer;
  secrets: Secrets;
  organisations: Record<OrganisationKey, MailOrganisation>;
  trustUrl: (path: string) => string;
}

/** Adds the mail about a document to the commit that issues it, or later. */
export type AddRecipientMail = (
  commit: Deno.AtomicOperation,
  document: Pick<DocumentRow, "issuer" | "organisation">,
  recipient: Recipient & { email: string },
  now: number,
) => Promise<QueuedMail>;

/** Creates the function that mails recipients about their documents. */
export const createRecipientMails = (
  { kv, mailer, secrets, organisations, trustUrl }: RecipientMailsOptions,
): AddRecipientMail =>
async (commit, { issuer, organisation }, recipient, now) => {
  const { record } = recipient;
  const current = record === null ? null : await readCurrentRecord(kv, record);
  // A holder who has corrected the address must not lose the mail to somebody who reads the earlier one.
  if (current !== null) commit.check(current.contact, current.entry);
  const to = current?.contact.value.record.email ?? recipient.email;
  const about = { sender: senderOf(organisations, organisation), to, issuer: issuer.name };
  const waits = recipient.state === "waiting";
  const mail = waits
    ? acceptMail({
      ...about,
      link: trustUrl(await acceptPath(secrets, recipient.id)),
      until: recipient.due_at!,
    })
    : addedMail({ ...about, link: trustUrl("/my-record") });
  return await mailer.add(commit, mail, {
    expiresAt: waits ? Math.min(Date.parse(recipient.due_at!), now + TRIED_MS) : now + TRIED_MS,
    about: current === null ? aboutRecipient(recipient.id) : aboutContact(current.hash),
    kind: "document_issued",
    limits: await limitsOf(secrets, { issuer: issuer.id, to }),
  });
};

/** How long a mail is tried. */
const TRIED_MS = 7 * DAY_MS;

interface RecipientMailOptions {
  sender: Parameters<typeof createMail>[0]["sender"];
  to: string;
  issuer: string;
  link: string;
}

/**
 * Returns the mail that offers a document. Of the issuer's words, it has only the name that an administrator has
 * approved, because others could be a stranger's advertisement or fraud.
 */
const acceptMail = (
  { sender, to, issuer, link, until }: RecipientMailOptions & { until: string },
): Mail =>
  checkMail(createMail({
    sender,
    to,
    subject: `${issuer} has issued a document to you`,
    title: `${issuer} has issued a document to you`,
    parts: [
      `${issuer} has issued a document to this address. ${sender.name} registers it, so that ` +
      "others can check it.",
      { link, text: "See the document" },
      {
        note:
          `The link works until ${
            formatDay(until)
          }. It shows who the document is for. You then accept it, ` +
          "or say that it is not for you.",
      },
    ],
    because: `${issuer} gave this address for the recipient of a document`,
  }));

/** Returns the mail that says that a document was added to the recipient's record. */
const addedMail = ({ sender, to, issuer, link }: RecipientMailOptions): Mail =>
  checkMail(createMail({
    sender,
    to,
    subject: `${issuer} has added a document to your record`,
    title: `${issuer} has added a document to your record`,
    parts: [
      `${issuer}, whose documents you have accepted before, has issued another document to you.`,
      { link, text: "Open my record" },
    ],
    because: `you have accepted documents of ${issuer} at this address`,
  }));
