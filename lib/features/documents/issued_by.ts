import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { DocumentRow } from "./store.ts";

/** The organisation that made a document, and the one that registered it, by name. */
export interface Parties {
  issuer: string;
  registrar: string;
}

/** Returns the parties of a document. */
export function partiesOf(
  { issuer, organisation }: Pick<DocumentRow, "issuer" | "organisation">,
  organisations: Record<OrganisationKey, { name: string }>,
): Parties {
  return { issuer: issuer.name, registrar: organisations[organisation].name };
}

/** Returns `Issued by Harbour College · registered with Attest Systems`. */
export const issuedBy = ({ issuer, registrar }: Parties): string =>
  issuer === registrar
    ? `Issued and registered by ${issuer}`
    : `Issued by ${issuer} · registered with ${registrar}`;
