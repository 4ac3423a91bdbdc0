import PostalMime, { type Address } from "postal-mime";
import type { Bytes } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";
import { bounceOf, type MailReport, readReturnPath } from "../../platform/mail/mod.ts";

/**
 * Reads a delivery status notification (RFC 3464). The return path to which it was sent decides which mail it is
 * about, because anybody can write anything else in it.
 *
 * @returns null if it reports nothing final, undefined if it is no such notification about a mail of ours
 */
export async function readDsn(
  secrets: Secrets,
  message: Bytes,
): Promise<MailReport | null | undefined> {
  // Anybody can write to a return path, so only a notification about a mail of ours is parsed beyond its header.
  const id = await mailOf(secrets, await recipientsOf(message));
  if (id === null) return undefined;
  const parsed = await parse(beginningOf(message));
  const part = parsed?.attachments.find(({ mimeType }) => STATUS_TYPE.test(mimeType));
  if (part === undefined) return undefined;
  const fields = fieldsOf(part.content);
  switch (fields.action) {
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
    default: // such as a delay
      return null;
  }
}

/**
 * How much of a notification is parsed. The status comes before the mail that is returned, and every line takes time
 * in which the site does nothing else.
 */
const READ_BYTES = 64 * 1024;
const READ_LINES = 2_000;
/** How long the header of a message, and the fields of a status, may be. */
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

/** Returns the addresses in the header of a message. */
async function recipientsOf(message: Bytes): Promise<string[]> {
  const start = new TextDecoder("latin1").decode(message.subarray(0, HEADER_BYTES));
  const [header] = start.split(/\r?\n\r?\n/, 1);
  const parsed = await parse(message.subarray(0, header.length));
  return [
    ...addressesOf(parsed?.to ?? []),
    ...parsed?.deliveredTo === undefined ? [] : [parsed.deliveredTo],
  ];
}

/** RFC 3464, and RFC 6533 for internationalised addresses. */
const STATUS_TYPE = /^message\/(global-)?delivery-status$/i;

/** The most addresses that are read, because each costs a signature. */
const MOST_ADDRESSES = 10;

async function mailOf(secrets: Secrets, addresses: readonly string[]): Promise<string | null> {
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const id = await readReturnPath(secrets, address);
    if (id !== null) return id;
  }
  return null;
}

const addressesOf = (list: readonly Address[]): string[] =>
  list.flatMap(({ address, group }) => address ?? addressesOf(group ?? []));

/** Returns the fields about the recipient, by lowercase name: a mail of ours has only one recipient. */
function fieldsOf(content: string | Uint8Array | ArrayBuffer): Record<string, string | undefined> {
  const text = typeof content === "string" ? content : new TextDecoder().decode(content);
  const lines = text.slice(0, HEADER_BYTES).replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(lines.flatMap((line) => {
    const [, field, rest] = /^([A-Za-z-]+):(.*)$/.exec(line) ?? [];
    if (field === undefined) return [];
    const [name, value] = [field.toLowerCase(), rest.trim()];
    return [[name, name === "action" ? value.toLowerCase() : value]];
  }));
}
