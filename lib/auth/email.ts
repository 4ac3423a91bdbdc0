/** RFC 5321 leaves 254 octets for an address once the brackets of a path are counted. */
const MAX_OCTETS = 254;

// Dot-string of RFC 5321 (4.1.2), with what RFC 6531 (3.3) adds. Quoted local parts are left out:
// parsers disagree about what they name.
const ATOM = String.raw`[\w!#$%&'*+\-/=?^\x60{|}~\u{80}-\u{10ffff}]+`;
const LOCAL = new RegExp(`^${ATOM}(\\.${ATOM})*$`, "u");
const LABEL = /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u;

/**
 * The one form in which an address is stored and compared: trimmed, NFKC, lowercased. A `+tag` is
 * kept, for it may name another mailbox.
 *
 * @returns null for what is no address that mail could be sent to: not exactly one `@`, quotes,
 * white space, control or invisible characters, no dot in the domain, more than 254 octets
 *
 * @example
 * ```ts
 * normaliseEmail(" Ada+Work@Example.ORG "); // "ada+work@example.org"
 * normaliseEmail("ada@example.org, eve@example.org"); // null
 * ```
 */
export function normaliseEmail(text: string): string | null {
  // Lowercase letters of a composed text need not be composed themselves, hence twice.
  const email = text.normalize("NFKC").toLowerCase().normalize("NFKC").trim();
  if (new TextEncoder().encode(email).length > MAX_OCTETS) return null;
  if (/[\p{C}\p{Z}]/u.test(email)) return null;
  const [local, domain, ...more] = email.split("@");
  if (domain === undefined || more.length > 0) return null;
  return LOCAL.test(local) && isDomain(domain) ? email : null;
}

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1]);
}
