/** Reads bounces and spam complaints out of the messages that mail servers send about the site's mails. */
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { Bytes } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";
import { bounceOf, type MailReport, readReturnPath } from "../../platform/mail/mod.ts";

/**
 * Reads a message about a mail of ours: a delivery status notification (RFC 3464), or a complaint about spam
 * (RFC 5965). Anybody can write such a message, so only what nobody knows who has not received the mail says which
 * mail it is about: its return path, or for a complaint also its Message-ID.
 *
 * @returns null if it reports nothing that matters here, undefined if it is no such message about a mail of ours
 */
export async function readMessage(
  secrets: Secrets,
  message: Bytes,
): Promise<MailReport | null | undefined> {
  const header = await parseHeader(message);
  const addressee = await signedId(secrets, recipientsOf(header));
  // Anybody can write to a return path, so nothing else is parsed beyond its header.
  if (addressee === null && !isComplaint(header)) return undefined;
  const parsed = await parse(beginningOf(message));
  const partOf = (type: RegExp) => parsed?.attachments.find(({ mimeType }) => type.test(mimeType));
  const status = partOf(STATUS_TYPE);
  if (status !== undefined) {
    return addressee === null ? undefined : readStatus(addressee, fieldsOf(status));
  }
  const feedback = partOf(FEEDBACK_TYPE);
  if (feedback === undefined) return undefined;
  const fields = fieldsOf(feedback);
  const original = await parseHeader(bytesOf(partOf(ORIGINAL_TYPE)));
  // A complaint goes to the address that is registered with a provider, and contains the mail.
  const id = await signedId(secrets, [
    fields["original-mail-from"] ?? "",
    original?.returnPath ?? "",
  ]) ?? addressee ?? MESSAGE_ID.exec(original?.messageId ?? "")?.[1].toLowerCase();
  if (id === undefined) return undefined;
  const isAboutSpam = COMPLAINTS.has(fields["feedback-type"]?.toLowerCase() ?? "");
  return isAboutSpam ? { mail: { id }, what: "complaint", reply: null } : null;
}

/** RFC 3464, and RFC 6533 for internationalised addresses. */
const STATUS_TYPE = /^message\/(global-)?delivery-status$/i;
const FEEDBACK_TYPE = /^message\/feedback-report$/i;
/** The mail that a complaint is about, or its header (RFC 5965, 2; RFC 6533). */
const ORIGINAL_TYPE = /^(message\/(rfc822|global)|text\/rfc822-headers|message\/global-headers)$/i;

/** The feedback of a recipient who does not want the mail (RFC 5965, 7.3). */
const COMPLAINTS: ReadonlySet<string> = new Set(["abuse", "fraud"]);

/** The Message-ID of our mails, which has the id of the mail. */
const MESSAGE_ID = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@[^@\s]+>$/i;

/**
 * How much of a message is parsed. The report comes before the mail that is returned, and every line takes
 * time in which the site does nothing else.
 */
const READ_BYTES = 64 * 1024;
const READ_LINES = 2_000;
/** How long the header of a message, and the fields of a part, may be. */
const HEADER_BYTES = 16 * 1024;

const LINE_FEED = 0x0a;

/** Returns the part of a message that is read. */
function beginningOf(message: Bytes): Bytes {
  const beginning = message.subarray(0, READ_BYTES);
  let end = 0;
  for (let lines = 0; lines < READ_LINES; lines++) {
    end = beginning.indexOf(LINE_FEED, end) + 1;
    if (end === 0) return beginning;
  }
  return beginning.subarray(0, end);
}

const parse = (message: Bytes) =>
  PostalMime.parse(message, {
    attachmentEncoding: "arraybuffer",
    // The mail that is returned is not read.
    forceRfc822Attachments: true,
    maxNestingDepth: 4,
    maxHeadersSize: HEADER_BYTES,
  }).catch(() => undefined);

/** Parses the header of a message only. */
function parseHeader(message: Bytes): Promise<Email | undefined> {
  const start = new TextDecoder("latin1").decode(message.subarray(0, HEADER_BYTES));
  const [header] = start.split(/\r?\n\r?\n/, 1);
  return parse(message.subarray(0, header.length));
}

const recipientsOf = (header: Email | undefined): string[] => [
  ...addressesOf(header?.to ?? []),
  header?.deliveredTo ?? "",
];

/** Returns whether a message says that it is a complaint (RFC 5965, 2). */
const isComplaint = (header: Email | undefined): boolean =>
  header?.headers.some(({ key, value }) =>
    key === "content-type" && /report-type="?feedback-report/i.test(value)
  ) ?? false;

/** The most addresses that are read, because each costs a signature. */
const MOST_ADDRESSES = 10;

/** Returns the id of the mail whose return path is one of the addresses. */
async function signedId(secrets: Secrets, addresses: readonly string[]): Promise<string | null> {
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const id = await readReturnPath(secrets, address.trim().replace(/^<(.*)>$/, "$1"));
    if (id !== null) return id;
  }
  return null;
}

const addressesOf = (list: readonly Address[]): string[] =>
  list.flatMap(({ address, group }) => address ?? addressesOf(group ?? []));

/** Reads the status of a notification; null if it says nothing final, such as a delay. */
function readStatus(id: string, fields: Record<string, string | undefined>): MailReport | null {
  switch (fields.action?.toLowerCase()) {
    case "failed": {
      const status = fields.status ?? "";
      const reply = /^\d\.\d{1,3}\.\d{1,3}/.exec(status)?.[0] ?? null;
      // A general status is less exact than the reply of the server that refused the mail.
      const diagnostic = fields["diagnostic-code"]?.replace(/^smtp;\s*/i, "") ?? "";
      const isGeneral = reply === null || reply.endsWith(".0.0");
      return { mail: { id }, what: bounceOf(isGeneral && diagnostic ? diagnostic : status), reply };
    }
    case "delivered":
      return { mail: { id }, what: "delivered", reply: null };
    default:
      return null;
  }
}

const bytesOf = (part: Attachment | undefined): Bytes =>
  part === undefined ? new Uint8Array() : new Uint8Array(part.content as ArrayBuffer);

/** Returns the fields of a part, by lowercase name: a mail of ours has only one recipient. */
function fieldsOf(part: Attachment): Record<string, string | undefined> {
  const text = new TextDecoder().decode(bytesOf(part).subarray(0, HEADER_BYTES));
  const lines = text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(lines.flatMap((line) => {
    const [, name, value] = /^([A-Za-z-]+):(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value.trim()]];
  }));
}
