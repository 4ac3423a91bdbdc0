/**
 * The sentences that name who made and who registered a document.
 *
 * @module
 */
import { formatDay } from "../../base/time.ts";

/** The web domain that an issuer has shown to be its own. */
export interface PartyDomain {
  name: string;
  /** ISO 8601; null if the domain is no longer verified. */
  verifiedOn: string | null;
}

/** The organisation that made a document, and the one that registered it, by name. */
export interface Parties {
  issuer: string;
  domain?: PartyDomain;
  /** When the issuer ended, if it no longer issues documents. */
  endedAt?: string;
  registrar: string;
}

/** Returns `harbour.example, verified 23 Nov 2026`. */
export const domainText = ({ name, verifiedOn }: PartyDomain): string =>
  verifiedOn === null
    ? `${name}, domain no longer verified`
    : `${name}, verified ${formatDay(verifiedOn)}`;

/** Returns `Issued by Harbour College (harbour.example, verified 23 Nov 2026) · registered with Attest Systems`, or that it is a test. */
export function issuedBy({ issuer, domain, registrar }: Parties, test = false): string {
  const verified = domain === undefined ? "" : ` (${domainText(domain)})`;
  if (test) return `A test of ${issuer}${verified} · not registered`;
  return issuer === registrar
    ? `Issued and registered by ${issuer}${verified}`
    : `Issued by ${issuer}${verified} · registered with ${registrar}`;
}

/** Returns the name of whoever withdrew a version; undefined if that is not known. */
export function withdrawerOf(
  by: "issuer" | "registrar" | undefined,
  { issuer, registrar }: Parties,
): string | undefined {
  if (by === undefined) return issuer === registrar ? registrar : undefined;
  return by === "issuer" ? issuer : registrar;
}

/** Returns what pages say about an issuer that no longer issues documents; null for all others. */
export const endedText = ({ issuer, registrar, endedAt }: Parties): string | null =>
  endedAt === undefined
    ? null
    : `${issuer} no longer issues documents with ${registrar} (since ${formatDay(endedAt)}). ` +
      "Documents it issued before remain registered.";
