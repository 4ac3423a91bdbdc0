/**
 * The organisations that made and registered documents, as they are now.
 *
 * @module
 */
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type Issuers, publicIssuer } from "../issuers/mod.ts";
import type { Parties } from "./issued_by.ts";
import type { DocumentRow } from "./store.ts";

type Issued = Pick<DocumentRow, "issuer" | "organisation">;

/** The parties of documents by the ids of their issuers, and those of a document. */
export type PartiesOf = (document: Issued) => Parties;

/** Reads who made documents and who registered them, as pages show it now. */
export interface PartiesReader {
  /**
   * Reads the issuers of some documents. A document has the name that its issuer had when it was added; the
   * issuer's domain and state are those of now.
   */
  of(documents: readonly Issued[]): Promise<PartiesOf>;
}

export const createPartiesReader = ({ issuers, organisations, clock }: {
  issuers: Pick<Issuers, "readMany">;
  organisations: Record<OrganisationKey, { name: string }>;
  clock: () => number;
}): PartiesReader => ({
  async of(documents) {
    const rows = await issuers.readMany(documents);
    const now = clock();
    return ({ issuer: { id, name }, organisation }) => ({
      issuer: name,
      registrar: organisations[organisation].name,
      ...publicIssuer(rows.get(id) ?? null, now),
    });
  },
});
