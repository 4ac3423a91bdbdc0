/**
 * The mails about requests for access.
 *
 * @module
 */

import { aboutContact } from "../../contact/mod.ts";
import {
  checkMail,
  createMail,
  type Mail,
  type Mailer,
  type MailKind,
  type MailOrganisation,
  type MailSender,
  type QueuedMail,
  senderOf,
} from "../../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { DAY_MS, formatDateTime } from "../../../base/time.ts";
import type { AccessRequestRow } from "./requests.ts";
import { formatDocumentId, requestPath } from "../ids.ts";

/** The contents of every mail to a person who asked for access. None contains a title or a name. */
interface AccessMailOptions {
  sender: MailSender;
  to: string;
  /** The id of the document. */
  document: string;
}

/** Adds a mail about a request to the commit that causes it. Deleting the record erases it. */
type AddMail = (
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  holdMs?: number,
) => Promise<QueuedMail>;
type AddLinkMail = (
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  token: string,
  holdMs?: number,
) => Promise<QueuedMail>;

/** How long a refusal may wait to be sent. */
const REFUSAL_WAITS_MS = 7 * DAY_MS;

/** Creates the functions that mail the people who ask for access. */
export function createAccessMails({ mailer, organisations, trustUrl, clock }: {
  mailer: Mailer;
  organisations: Record<OrganisationKey, MailOrganisation>;
  trustUrl: (path: string) => string;
  clock: () => number;
}): {
  addConfirmation: AddLinkMail;
  addGrant: AddLinkMail;
  addRefusal: AddMail;
  addWithdrawal: AddMail;
} {
  const optionsOf = ({ organisation: key, person, document }: AccessRequestRow) => ({
    sender: senderOf(organisations, key),
    to: person.email,
    document,
  });
  const add = (
    commit: Deno.AtomicOperation,
    { record, ends_at }: AccessRequestRow,
    kind: MailKind,
    mail: Mail,
    holdMs?: number,
  ) => {
    const expiresAt = ends_at === null ? clock() + REFUSAL_WAITS_MS : Date.parse(ends_at);
    return mailer.add(commit, mail, { expiresAt, about: aboutContact(record), kind, holdMs });
  };
  return {
    addConfirmation: (commit, row, token) => {
      const link = trustUrl(`${requestPath(row.document)}&token=${token}`);
      const mail = confirmAddressMail({ ...optionsOf(row), link, endsAt: row.ends_at! });
      return add(commit, row, "access_confirmation", mail);
    },
    addGrant: (commit, row, token, holdMs) => {
      const link = trustUrl(`/s#${token}`);
      const { ends_at, decision_reason: reason } = row;
      const mail = approvedMail({ ...optionsOf(row), link, endsAt: ends_at!, reason });
      return add(commit, row, "access_approved", mail, holdMs);
    },
    addRefusal: (commit, row, holdMs) => {
      const mail = refusedMail({ ...optionsOf(row), reason: row.decision_reason });
      return add(commit, row, "access_refused", mail, holdMs);
    },
    addWithdrawal: (commit, row) =>
      add(commit, row, "access_withdrawn", withdrawnMail(optionsOf(row))),
  };
}

/** Returns the mail with the link that confirms the address of a request. */
function confirmAddressMail(
  options: AccessMailOptions & { link: string; endsAt: string },
): Mail {
  return accessMail(options, {
    title: "Confirm your address",
    lead: `Someone entered this address to ask for access to document ${nameOf(options)}. ` +
      "If it was you, confirm the address to send the request:",
    action: { href: options.link, text: "Confirm the address" },
    note:
      `The link works until ${formatDateTime(options.endsAt)}. If you did not ask for access, ` +
      "ignore this email. The request is not sent, and we delete it.",
  });
}

/** Returns the mail with the link that opens a document. */
function approvedMail(
  options: AccessMailOptions & { link: string; endsAt: string; reason: string | null },
): Mail {
  return accessMail(options, {
    title: "Your request was approved",
    lead: `You can read document ${nameOf(options)} until ${formatDateTime(options.endsAt)}. ` +
      "Open this link in the browser that you want to read it in:",
    reason: options.reason,
    action: { href: options.link, text: "Open the document" },
    note:
      "The link works once, in one browser. To read the document in another browser, open the link " +
      "there and ask for a new one. The holder of the record sees when you view, download or print " +
      "the document.",
  });
}

/** Returns the mail that says that a request was refused. */
const refusedMail = (options: AccessMailOptions & { reason: string | null }): Mail =>
  accessMail(options, {
    title: "Your request was refused",
    lead: `Your request for access to document ${nameOf(options)} was refused.`,
    reason: options.reason,
  });

/** Returns the mail that says that a document was withdrawn. It gives no reason: not all are public. */
const withdrawnMail = (options: AccessMailOptions): Mail =>
  accessMail(options, {
    title: "A document was withdrawn",
    lead: `Document ${nameOf(options)}, which you had access to, was withdrawn. Your access has ` +
      "ended. Don’t rely on a copy that you downloaded or printed.",
  });

const nameOf = ({ document }: AccessMailOptions) => formatDocumentId(document);

function accessMail(
  { sender, to }: AccessMailOptions,
  { title, lead, reason = null, action, note }: {
    title: string;
    lead: string;
    reason?: string | null;
    action?: { href: string; text: string };
    note?: string;
  },
): Mail {
  return checkMail(createMail({
    sender,
    to,
    subject: `${title} (${sender.name})`,
    title,
    parts: [
      lead,
      ...reason === null ? [] : [`Reason: ${reason}`],
      ...action === undefined ? [] : [{ link: action.href, text: action.text }],
      ...note === undefined ? [] : [{ note }],
    ],
    because: `somebody asked ${sender.name} for access to a document with this address`,
  }));
}
