import { z } from "zod";

// What would end a header, start another address, or need quoting has no place in either half.
const ATOM = String.raw`[^\s\p{C}"(),:;<>@\[\\\]]`;

/**
 * One address such as `ada@example.org`: the door at which list separators, quotes, blanks and
 * control characters are refused, so that it can stand in a header (RFC 5322, 3.4.1, without the
 * obsolete and the quoted forms). At most 254 characters (RFC 5321, 4.5.3.1).
 */
export const mailAddress = z.string().max(254).regex(
  new RegExp(`^${ATOM}{1,64}@${ATOM}+$`, "u"),
  "an email address",
);

/** Text that stands in a header: one line, without control characters. */
export const headerText = z.string().max(500).regex(/^[^\p{C}\u2028\u2029]*$/u, "one line of text");

/** Who a mail is from. */
export interface Sender {
  /** May be empty. */
  name: string;
  address: string;
}

/**
 * A sender as it is written in a setting, `Name <address>` or the address alone, taken apart.
 *
 * @example
 * ```ts
 * mailSender.parse("Qualpack <no-reply@qualpack.example>").address; // "no-reply@qualpack.example"
 * ```
 */
export const mailSender = headerText.transform((value, ctx): Sender => {
  const named = /^([^<>]*)<([^<>]*)>$/.exec(value.trim());
  const name = named?.[1].trim() ?? "";
  const address = mailAddress.safeParse(named?.[2].trim() ?? value.trim());
  if (!address.success) {
    ctx.addIssue({ code: "custom", message: "a sender such as Qualpack <no-reply@site.example>" });
    return z.NEVER;
  }
  return { name: unquoted(name), address: address.data };
});

/**
 * Writes a sender for a header. A name with characters that have a meaning there is quoted
 * (RFC 5322, 3.2.4), so that `Foo, Inc.` stays one sender.
 */
export function formatSender({ name, address }: Sender): string {
  if (name === "") return address;
  const special = /[^\p{L}\p{N} !#$%&'*+\-/=?^_`{|}~]/u.test(name);
  return `${special ? `"${name.replace(/["\\]/g, "\\$&")}"` : name} <${address}>`;
}

const unquoted = (name: string) =>
  /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name;
