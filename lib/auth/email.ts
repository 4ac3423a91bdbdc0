import { domainToASCII } from "node:url";

/** The most characters that are looked at: white space and decomposed letters make a text longer. */
export const TYPED_LIMIT = 1_000;

/** RFC 5321 leaves 254 octets for an address once the brackets of a path are counted. */
const MAX_OCTETS = 254;

// Dot-string of RFC 5321 (4.1.2), with what RFC 6531 (3.3) adds. Quoted local parts are left out:
// parsers disagree about what they name.
const ATOM = String.raw`[\w!#$%&'*+\-/=?^\x60{|}~\u{80}-\u{10ffff}]+`;
const LOCAL = new RegExp(`^${ATOM}(\\.${ATOM})*$`, "u");
/** The beginning of an encoded word (RFC 2047), which a mail program would decode. */
const ENCODED_WORD = /=\?/;
const LABEL = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/;

/**
 * The one form in which an address is stored and compared: trimmed, NFKC, lowercased, and its
 * domain in ASCII (RFC 5890, 2.3.2.1), for some browsers send `bücher.example` as it was typed and
 * some as `xn--bcher-kva.example`. A `+tag` is kept, for it may name another mailbox.
 *
 * @returns null for what is no address that mail could be sent to: not exactly one `@`, quotes,
 * white space, control or invisible characters, an encoded word, no dot in the domain, more than
 * 254 octets
 *
 * @example
 * ```ts
 * normaliseEmail(" Ada+Work@Example.ORG "); // "ada+work@example.org"
 * normaliseEmail("ada@example.org, eve@example.org"); // null
 * ```
 */
export function normaliseEmail(text: string): string | null {
  if (text.length > TYPED_LIMIT) return null; // before it is normalised, which may take long
  // Lowercase letters of a composed text need not be composed themselves, hence twice.
  const typed = text.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
  if (typed.length > MAX_OCTETS || /[\p{C}\p{Z}]/u.test(typed)) return null;
  const [local, name, ...more] = typed.split("@");
  if (name === undefined || more.length > 0) return null;
  const domain = domainToASCII(name); // empty where there is none
  if (!LOCAL.test(local) || ENCODED_WORD.test(local) || !isDomain(domain)) return null;
  const email = `${local}@${domain}`;
  return new TextEncoder().encode(email).length > MAX_OCTETS ? null : email;
}

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1]);
}

/**
 * Returns the mailbox that an address probably reaches: many mail servers ignore what follows a `+`.
 * Limits count mailboxes, so that tags do not multiply them.
 *
 * @param email normalised
 */
export const mailboxOf = (email: string): string => email.replace(/(.)\+[^@]*@/, "$1@");
