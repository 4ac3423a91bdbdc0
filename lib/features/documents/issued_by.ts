import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { DocumentRow } from "./store.ts";

/** The organisation that made a document, and the one that registered it, by name. */
export interface Parties {
  issuer: string;
  registrar: string;
}

/** Returns the parties of a document. One without an issuer was made by the organisation itself. */
export function partiesOf(
  { issuer, organisation }: Pick<DocumentRow, "issuer" | "organisation">,
  organisations: Record<OrganisationKey, { name: string }>,
): Parties {
  const registrar = organisations[organisation].name;
  return { issuer: issuer?.name ?? registrar, registrar };
}

/** Returns `Issued by Harbour College · registered with Attest Systems`. */
export const issuedBy = ({ issuer, registrar }: Parties): string =>
  issuer === registrar
    ? `Issued and registered by ${issuer}`
    : `Issued by ${issuer} · registered with ${registrar}`;
