/** The signed address to which mail servers report what became of one mail. */
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { decodeBase64Url, utf8 } from "../../base/encoding.ts";
import type { Secrets } from "../../base/secrets.ts";

/** Hexadecimal digits of a mail's id, and of the signature after it: 80 bits. */
const ID_DIGITS = 32;
const MAC_DIGITS = 20;

/** The longest local part of `MAIL_RETURN_PATH`: a local part has at most 64 characters (RFC 5321, 4.5.3.1). */
export const MAX_RETURN_LOCAL = 64 - 1 - ID_DIGITS - MAC_DIGITS;

const PURPOSE = "mail-return";

const shortened = (signature: string): string =>
  decodeBase64Url(signature).slice(0, MAC_DIGITS / 2).toHex();

/**
 * Returns the return path of one mail: the configured address with the mail's id and a signature of it. It is in
 * lowercase, because some servers change the case. Whoever has not received the mail cannot make it, so nobody can
 * report another person's address.
 *
 * @param address such as `bounces@site.example`
 * @param id the id of the mail, a UUID
 * @example
 * ```ts
 * await returnPath(secrets, "bounces@site.example", id); // "bounces+6f1c…@site.example"
 * ```
 */
export async function returnPath(secrets: Secrets, address: string, id: string): Promise<string> {
  const [local, domain] = address.split("@");
  const mac = shortened(await secrets.sign(PURPOSE, id));
  return `${local}+${id.replaceAll("-", "")}${mac}@${domain}`;
}

/** Returns the id of the mail whose return path an address is; null if it is none, or its signature is wrong. */
export async function readReturnPath(secrets: Secrets, address: string): Promise<string | null> {
  const [, digits, mac] = TOKEN.exec(address.toLowerCase()) ?? [];
  if (digits === undefined) return null;
  const id = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const expected = (await secrets.signatures(PURPOSE, id)).map(shortened);
  return expected.some((each) => timingSafeEqual(utf8(each), utf8(mac))) ? id : null;
}

const TOKEN = new RegExp(`\\+([0-9a-f]{${ID_DIGITS}})([0-9a-f]{${MAC_DIGITS}})@[^@]+$`);
