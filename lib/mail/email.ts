import { domainToASCII } from "node:url";
import { z } from "zod";

/** The longest input that is examined. White space and decomposed letters make a text longer. */
export const TYPED_LIMIT = 1_000;

/** RFC 5321 leaves 254 octets for an address once the brackets of a path are counted. */
const MAX_OCTETS = 254;

// Dot-string of RFC 5321 (4.1.2), with what RFC 6531 (3.3) adds. Quoted local parts are rejected,
// because parsers disagree about what they mean.
const ATOM = String.raw`[\w!#$%&'*+\-/=?^\x60{|}~\u{80}-\u{10ffff}]+`;
const LOCAL = new RegExp(`^(?=.{1,64}$)${ATOM}(\\.${ATOM})*$`, "u");
/** The beginning of an encoded word (RFC 2047), which a mail program would decode. */
const ENCODED_WORD = /=\?/;
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Returns the one form in which an address is stored and compared: trimmed, NFKC, lowercased, and
 * its domain in ASCII (RFC 5890, 2.3.2.1), because some browsers send `bücher.example` as typed and
 * some as `xn--bcher-kva.example`. A `+tag` is kept, because it may be part of another mailbox's
 * name.
 *
 * @returns null for a text that is not an address that mail can be sent to: not exactly one `@`,
 * quotes, white space, control or invisible characters, an encoded word, no dot in the domain, more
 * than 64 characters before the `@` or 254 octets in total
 *
 * @example
 * ```ts
 * normaliseEmail(" Ada+Work@Example.ORG "); // "ada+work@example.org"
 * normaliseEmail("ada@example.org, eve@example.org"); // null
 * ```
 */
export function normaliseEmail(text: string): string | null {
  if (text.length > TYPED_LIMIT) return null; // before normalising, which may take long
  // Lowercase letters of a composed text need not be composed themselves, hence twice.
  const typed = text.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
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
  malformed = "This is not an email address that can receive mail.",
  missing = "Enter your email address.",
}: { malformed?: string; missing?: string } = {}) =>
  z.string(missing).max(TYPED_LIMIT, malformed).transform((typed, ctx) => {
    const email = normaliseEmail(typed);
    if (email !== null) return email;
    ctx.addIssue({ code: "custom", message: typed.trim() === "" ? missing : malformed });
    return z.NEVER;
  });

/**
 * Returns the mailbox that an address probably reaches: many mail servers ignore what follows a `+`.
 * Limits count mailboxes, so that tags do not multiply them.
 *
 * @param email normalised
 */
export const mailboxOf = (email: string): string => email.replace(/(.)\+[^@]*@/, "$1@");

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1]);
}
