/**
 * The organisations that made and registered documents, as they are now.
 *
 * @module
 */
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { createBoundedCache } from "../../platform/http/bounded_cache.ts";
import { type Issuers, shownIssuer } from "../issuers/mod.ts";
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
  /**
   * Reads documents and their issuers at the same time, by remembering which issuers the same documents had
   * before.
   *
   * @param key identifies what is read, such as the hash of a record
   */
  with<Rows extends readonly Issued[]>(
    key: string,
    read: () => Promise<Rows>,
  ): Promise<{ rows: Rows; partiesOf: PartiesOf }>;
}

/** About 10,000 records and documents. */
const REMEMBERED = 1_000_000;

export function createPartiesReader({ issuers, organisations, clock }: {
  issuers: Pick<Issuers, "readMany">;
  organisations: Record<OrganisationKey, { name: string }>;
  clock: () => number;
}): PartiesReader {
  const known = createBoundedCache<readonly Issued[]>({
    limit: REMEMBERED,
    sizeOf: (issued) => 100 * (issued.length + 1),
  });

  const partiesOf =
    (rows: Awaited<ReturnType<Issuers["readMany"]>>, now: number): PartiesOf =>
    ({ issuer: { id, name }, organisation }) => ({
      issuer: name,
      registrar: organisations[organisation].name,
      ...shownIssuer(rows.get(id) ?? null, now),
    });

  return {
    of: async (documents) => partiesOf(await issuers.readMany(documents), clock()),
    async with(key, read) {
      const before = known.get(key) ?? [];
      const [rows, guessed] = await Promise.all([read(), issuers.readMany(before)]);
      const ids = new Set(before.map(({ issuer }) => issuer.id));
      const others = rows.filter(({ issuer }) => !ids.has(issuer.id));
      if (others.length === 0) return { rows, partiesOf: partiesOf(guessed, clock()) };
      const unique = new Map(
        rows.map(({ issuer, organisation }) => [issuer.id, { issuer, organisation }]),
      );
      known.set(key, [...unique.values()]);
      const read2 = await issuers.readMany(others);
      return { rows, partiesOf: partiesOf(new Map([...guessed, ...read2]), clock()) };
    },
  };
}
