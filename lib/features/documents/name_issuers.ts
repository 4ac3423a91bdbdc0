import type { Migration } from "../../platform/store/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DOCUMENTS_BY_ISSUER } from "../issuers/mod.ts";
import { type DocumentRow, documents } from "./store.ts";

/** A row as earlier builds wrote it, if its organisation made it. */
type EarlierRow = Omit<DocumentRow, "issuer"> & Partial<Pick<DocumentRow, "issuer">>;

/** How many documents are changed in one commit. Each may have 60 KiB. */
const BATCH = 10;

/** Gives an issuer to the documents that their own organisation made, and lists those of each issuer by time. */
export const nameIssuers = (
  { kv, organisations }: {
    kv: Deno.Kv;
    organisations: Record<OrganisationKey, { name: string }>;
  },
): Migration => ({
  name: "name_issuers",
  label: "issuers of documents",
  format: 10,
  before: "pages name the issuer of each document",
  step: {
    async batch(cursor) {
      const start = documents.key(`${cursor}\0`);
      const rows = await Array.fromAsync(
        kv.list<EarlierRow>({ prefix: [documents.prefix], start }, { limit: BATCH }),
      );
      return {
        indexed: rows.length,
        next: rows.length < BATCH ? null : rows.at(-1)!.value.id,
        addToCommit(commit) {
          for (const { value: { issuer, ...row } } of rows) {
            if (issuer !== undefined) commit.delete([DOCUMENTS_BY_ISSUER, issuer.id, row.id]);
            const { organisation } = row;
            const own = { id: organisation, name: organisations[organisation].name };
            documents.set(commit, { ...row, issuer: issuer ?? own });
          }
        },
      };
    },
  },
});
