import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, formatDay } from "../../base/time.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { DocumentRow } from "./store.ts";

/** How long checks of a domain may fail before it counts as no longer verified. */
export const DOMAIN_GRACE_MS = 14 * DAY_MS;

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
  registrar: string;
}

/** Returns the domain of an issuer, as people see it; undefined if it never was verified. */
export function domainOf(
  { domain }: Pick<IssuerRow, "domain">,
  now: number,
): PartyDomain | undefined {
  if (domain === null || domain.verified_at === null) return undefined;
  const { name, verified_at, failing_since } = domain;
  const failing = failing_since !== null && now - Date.parse(failing_since) >= DOMAIN_GRACE_MS;
  return { name, verifiedOn: failing ? null : verified_at };
}

/** Returns `harbour.example, verified 23 Nov 2026`. */
export const domainText = ({ name, verifiedOn }: PartyDomain): string =>
  verifiedOn === null
    ? `${name}, domain no longer verified`
    : `${name}, verified ${formatDay(verifiedOn)}`;

/** Returns the parties of a document. */
export function partiesOf(
  { issuer, organisation }: Pick<DocumentRow, "issuer" | "organisation">,
  organisations: Record<OrganisationKey, { name: string }>,
): Parties {
  return { issuer: issuer.name, registrar: organisations[organisation].name };
}

/** Returns `Issued by Harbour College (harbour.example, verified 23 Nov 2026) · registered with Attest Systems`. */
export function issuedBy({ issuer, domain, registrar }: Parties): string {
  const verified = domain === undefined ? "" : ` (${domainText(domain)})`;
  return issuer === registrar
    ? `Issued and registered by ${issuer}${verified}`
    : `Issued by ${issuer}${verified} · registered with ${registrar}`;
}
