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
  const parsed = await PostalMime.parse(message, { attachmentEncoding: "arraybuffer" })
    .catch(() => undefined);
  if (parsed === undefined) return undefined;
  const id = await mailOf(secrets, [
    ...addressesOf(parsed.to ?? []),
    ...parsed.deliveredTo === undefined ? [] : [parsed.deliveredTo],
  ]);
  const part = parsed.attachments.find(({ mimeType }) => STATUS_TYPE.test(mimeType));
  if (id === null || part === undefined) return undefined;
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
  const lines = text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return Object.fromEntries(lines.flatMap((line) => {
    const [, name, value] = /^([A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[
      name.toLowerCase(),
      name.toLowerCase() === "action" ? value.toLowerCase() : value,
    ]];
  }));
}
