import PostalMime, { type Address, type Attachment } from "postal-mime";
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
  const parsed = await parse(message);
  if (parsed === undefined) return undefined;
  const partOf = (type: RegExp) => parsed.attachments.find(({ mimeType }) => type.test(mimeType));
  const recipients = [...addressesOf(parsed.to ?? []), parsed.deliveredTo ?? ""];
  const status = partOf(STATUS_TYPE);
  if (status !== undefined) {
    const id = await signedId(secrets, recipients);
    return id === null ? undefined : readStatus(id, fieldsOf(status));
  }
  const feedback = partOf(FEEDBACK_TYPE);
  if (feedback === undefined) return undefined;
  const fields = fieldsOf(feedback);
  const original = partOf(ORIGINAL_TYPE);
  const { returnPath, messageId = "" } = await parse(bytesOf(original)) ?? {};
  // A complaint goes to the address that is registered with a provider, and contains the mail.
  const id = await signedId(secrets, [
    fields["original-mail-from"] ?? "",
    returnPath ?? "",
    ...recipients,
  ]) ??
    MESSAGE_ID.exec(messageId)?.[1].toLowerCase();
  if (id === undefined) return undefined;
  const isComplaint = COMPLAINTS.has(fields["feedback-type"]?.toLowerCase() ?? "");
  return isComplaint ? { mail: { id }, what: "complaint", reply: null } : null;
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

const parse = (message: Bytes | ArrayBuffer) =>
  PostalMime.parse(message, { attachmentEncoding: "arraybuffer", forceRfc822Attachments: true })
    .catch(() => undefined);

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

const bytesOf = (part: Attachment | undefined): ArrayBuffer =>
  part === undefined ? new ArrayBuffer(0) : part.content as ArrayBuffer;

/** Returns the fields of a part, by lowercase name: a mail of ours has only one recipient. */
function fieldsOf(part: Attachment): Record<string, string | undefined> {
  const text = new TextDecoder().decode(bytesOf(part));
  const lines = text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(lines.flatMap((line) => {
    const [, name, value] = /^([A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value]];
  }));
}
