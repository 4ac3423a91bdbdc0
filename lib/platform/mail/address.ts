/** Schemas for email addresses, names and other texts that are safe in the headers of a mail. */
import { z } from "zod";

// Excludes characters that would end a header, start another address or need quoting.
const ATOM = String.raw`[^\s\p{C}"(),:;<>@\[\\\]]`;

/**
 * One address such as `ada@example.org` that is safe in a header: without list separators, quotes,
 * white space and control characters (RFC 5322, 3.4.1, without obsolete and quoted forms). At most
 * 254 characters (RFC 5321, 4.5.3.1).
 */
export const mailAddress = z.string().max(254).regex(
  new RegExp(`^${ATOM}{1,64}@${ATOM}+$`, "u"),
  "an email address",
);

/** Text for a header: one line, without control characters. */
export const headerText = z.string().max(500).regex(/^[^\p{C}\u2028\u2029]*$/u, "one line of text");

/** A person's name for a header, which can neither look like an address nor need much quoting. */
export const personName = z.string().max(80).regex(
  /^(?=.*\p{L})[\p{L}\p{M}\p{N} .,'’\-]+$/u,
  "a name: letters, digits, spaces and . , ' -",
);

interface Sender {
  /** The name, which may be empty. */
  name: string;
  address: string;
}

/**
 * Parses a sender setting: `Name <address>`, or the address alone.
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

/** Formats a sender for a header. Quotes a name such as `Foo, Inc.` (RFC 5322, 3.2.4). */
export function formatSender({ name, address }: Sender): string {
  if (name === "") return address;
  const special = /[^\p{L}\p{N} !#$%&'*+\-/=?^_`{|}~]/u.test(name);
  return `${special ? `"${name.replace(/["\\]/g, "\\$&")}"` : name} <${address}>`;
}

/** Adds a person's name to a sender. */
export const withAuthor = (sender: string, author: string): string => {
  const { name, address } = mailSender.parse(sender);
  return formatSender({ name: name === "" ? author : `${author} (${name})`, address });
};

const unquoted = (name: string) =>
  /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, "$1") : name;
