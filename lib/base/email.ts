/** Parsing, normalising and comparing email addresses. */
import { domainToASCII } from "node:url";
import { z } from "zod";
import { unmarked } from "./pasted.ts";

/**
 * The longest input that is parsed. It exceeds the limit for addresses, because white space and
 * decomposed letters are removed first.
 */
export const TYPED_LIMIT = 1_000;

/** RFC 5321 allows 256 octets for a path, which includes the angle brackets. */
const MAX_OCTETS = 254;

// The Dot-string of RFC 5321 (4.1.2), with the additions of RFC 6531 (3.3). Quoted local parts are
// rejected, because parsers disagree about what they mean.
const ATOM = String.raw`[\w!#$%&'*+\-/=?^\x60{|}~\u{80}-\u{10ffff}]+`;
const LOCAL = new RegExp(`^(?=.{1,64}$)${ATOM}(\\.${ATOM})*$`, "u");
/** The beginning of an encoded word (RFC 2047), which a mail program would decode. */
const ENCODED_WORD = /=\?/;
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the canonical form in which an address is stored and compared: without invisible marks, NFKC,
 * lowercase, with the domain in ASCII (RFC 5890, 2.3.2.1), because some browsers send `bücher.example` as
 * typed and others send `xn--bcher-kva.example`. A `+tag` is kept, because it may belong to the
 * mailbox's name.
 *
 * @returns null if mail cannot be sent to the address, because it does not have exactly one `@`,
 * contains quotes, white space, control characters or an encoded word, has no dot in
 * the domain, or has more than 64 characters before the `@` or 254 octets in total
 *
 * @example
 * ```ts
 * normaliseEmail(" Ada+Work@Example.ORG "); // "ada+work@example.org"
 * normaliseEmail("ada@example.org, eve@example.org"); // null
 * ```
 */
export function normaliseEmail(text: string): string | null {
  if (text.length > TYPED_LIMIT) return null; // before normalising, which may be slow
  // Lowercasing can produce decomposed letters, so normalise twice.
  const typed = unmarked(text.normalize("NFKC").toLowerCase().normalize("NFKC"));
  if (typed.length > MAX_OCTETS || /[\p{C}\p{Z}]/u.test(typed)) return null;
  const [local, name, ...more] = typed.split("@");
  if (name === undefined || more.length > 0) return null;
  const domain = domainToASCII(name); // empty if invalid
  if (!LOCAL.test(local) || ENCODED_WORD.test(local) || !isDomain(domain)) return null;
  const email = `${local}@${domain}`;
  return new TextEncoder().encode(email).length > MAX_OCTETS ? null : email;
}

/** Returns a schema for an email address as people type it. Its output is normalised. */
export const emailSchema = ({
  malformed = "This is not an email address that can receive email.",
  missing = "Enter your email address.",
}: { malformed?: string; missing?: string } = {}) =>
  z.string(missing).max(TYPED_LIMIT, malformed).transform((typed, ctx) => {
    const email = normaliseEmail(typed);
    if (email !== null) return email;
    ctx.addIssue({ code: "custom", message: unmarked(typed) === "" ? missing : malformed });
    return z.NEVER;
  }).meta({ format: "email" });

/**
 * Returns the mailbox that an address probably reaches: many mail servers ignore a `+tag`. Limits
 * apply to mailboxes, so that tags cannot be used to bypass them.
 *
 * @param email normalised
 */
export const mailboxOf = (email: string): string => email.replace(/(.)\+[^@]*@/, "$1@");

/** Returns whether two addresses probably reach the same mailbox, see {@link mailboxOf}. */
export const isSameMailbox = (a: string, b: string): boolean => {
  const [of, other] = [a, b].map((email) => mailboxOf(normaliseEmail(email) ?? email));
  return of === other;
};

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1]);
}
