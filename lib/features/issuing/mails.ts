/**
 * The mails to recipients about their documents.
 *
 * @module
 */
import { DAY_MS, formatDay } from "../../base/time.ts";
import type { Secrets } from "../../base/secrets.ts";
import {
  checkMail,
  createMail,
  type Mail,
  type Mailer,
  type MailOrganisation,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { UnitOfWork } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { aboutContact } from "../contact/mod.ts";
import { type DocumentRow, formatDocumentId } from "../documents/mod.ts";
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

/** Adds the mail about a document to the unit that issues it, or later. It is sent afterwards. */
export type AddRecipientMail = (
  unit: UnitOfWork,
  document: DocumentRow,
  recipient: Recipient & { email: string },
  row?: { batch: string; n: number },
) => Promise<void>;

/** Creates the function that mails recipients about their documents. */
export const createRecipientMails = (
  { kv, mailer, secrets, organisations, trustUrl }: RecipientMailsOptions,
): AddRecipientMail =>
async ({ commit, now, after }, document, recipient, row) => {
  const { issuer, organisation } = document;
  const { record } = recipient;
  const current = record === null ? null : await readCurrentRecord(kv, record);
  // A holder who has corrected the address must not lose the mail to somebody who reads the earlier one.
  if (current !== null) commit.check(current.contact, current.entry);
  const to = current?.contact.value.record.email ?? recipient.email;
  const about = {
    sender: senderOf(organisations, organisation),
    to,
    issuer: issuer.name,
    name: mailText(document.named ?? recipient.name ?? "", MOST_OF_NAME),
    title: mailText(document.title, MOST_OF_TITLE),
    number: formatDocumentId(document.id),
  };
  const waits = recipient.state === "waiting";
  const mail = waits
    ? acceptMail({
      ...about,
      link: trustUrl(await acceptPath(secrets, recipient.id)),
      until: recipient.due_at!,
    })
    : addedMail({ ...about, link: trustUrl("/my-record") });
  const queued = await mailer.add(commit, mail, {
    expiresAt: waits ? Math.min(Date.parse(recipient.due_at!), now + TRIED_MS) : now + TRIED_MS,
    about: current === null ? aboutRecipient(recipient.id) : aboutContact(current.hash),
    kind: "document_issued",
    row,
    limits: await limitsOf(secrets, { issuer: issuer.id, to }),
  });
  after(() => mailer.send([queued]));
};

/** How long a mail is tried. */
const TRIED_MS = 7 * DAY_MS;

interface RecipientMailOptions {
  sender: Parameters<typeof createMail>[0]["sender"];
  to: string;
  issuer: string;
  /** The person whom the document is for. */
  name: string;
  title: string;
  /** The number that is printed on the document. */
  number: string;
  link: string;
}

/** How much of a text fits into a subject. */
const MOST_OF_NAME = 60;
const MOST_OF_TITLE = 100;

/**
 * Returns a text of the issuer's for a mail: one line of limited length, in which mail programs find no address to
 * make a link of. It could be a stranger's advertisement or fraud, so nothing in it can be clicked.
 */
export function mailText(text: string, most: number): string {
  const line = text.replace(/[\p{C}\u2028\u2029]/gu, " ")
    .replace(/:\/\//g, " ").replace(/@/g, " at ")
    .replace(/(?<=[\p{L}\p{M}\p{N}-])\.(?=\p{L}{2})/gu, ". ")
    .replace(/\s+/g, " ").trim();
  const letters = Array.from(line);
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join("").trimEnd()}…`;
}

const factsOf = ({ title, name, issuer, number }: RecipientMailOptions) => ({
  facts: [["Document", title], ["For", name], ["Issued by", issuer], ["Number", number]] as const,
});

/** Returns the mail that offers a document. It names the person, because mails without names look like fraud. */
const acceptMail = ({ until, ...about }: RecipientMailOptions & { until: string }): Mail => {
  const { sender, to, issuer, name, title, link } = about;
  return checkMail(createMail({
    sender,
    to,
    subject: `${name}: ${title}`,
    title: `${issuer} has issued a document to you`,
    parts: [
      `${issuer} has issued a document to this address. ${sender.name} registers it, so that ` +
      "others can check it.",
      factsOf(about),
      { link, text: "See the document" },
      {
        note:
          `The link works until ${formatDay(until)}. You look at the document, and then accept ` +
          "it or say that it is not for you.",
      },
    ],
    because: `${issuer} gave this address for the recipient of a document`,
  }));
};

/** Returns the mail that says that a document was added to the recipient's record. */
const addedMail = (about: RecipientMailOptions): Mail => {
  const { sender, to, issuer, name, title, link } = about;
  return checkMail(createMail({
    sender,
    to,
    subject: `${name}: ${title}`,
    title: `${issuer} has added a document to your record`,
    parts: [
      `${issuer}, whose documents you have accepted before, has issued another document to you. ` +
      "You can end this on the page of your record.",
      factsOf(about),
      { link, text: "Open my record" },
    ],
    because: `you have accepted documents of ${issuer} at this address`,
  }));
};
