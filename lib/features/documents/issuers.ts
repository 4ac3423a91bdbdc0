import { z } from "zod";
import { addAudit } from "../audit/mod.ts";
import { ALWAYS, defineTable, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** An organisation that makes documents, which the site's organisation registers. */
const issuerRow = z.strictObject({
  id: z.string(),
  /** The organisation that registers its documents. */
  organisation: z.enum(["foundation", "commercial"]),
  name: z.string(),
  created_at: z.string(),
});

export type IssuerRow = z.infer<typeof issuerRow>;

/** The most issuers of one organisation. They are chosen from a list. */
const MAX_ISSUERS = 500;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Names that differ only in case, in the form of letters or in what nobody can see are the same. */
const nameKey = ({ organisation, name }: Pick<IssuerRow, "organisation" | "name">): Deno.KvKey => [
  organisation,
  name.normalize("NFKC").replace(INVISIBLE, "").toLowerCase(),
];

export const issuerRows = defineTable({
  prefix: "issuers",
  value: issuerRow,
  key: ["organisation", "id"],
  indexes: {
    issuers_by_name: {
      keysOf: (row: IssuerRow) => [nameKey(row)],
      value: ({ id }: IssuerRow) => id,
    },
  },
  owner: "organisation",
  lifetime: ALWAYS,
  per: "issuer",
});

/** The organisations whose documents are registered here, besides the own ones. */
export interface Issuers {
  /** Returns the issuers of an organisation's documents, by name. */
  list(organisation: OrganisationKey): Promise<IssuerRow[]>;
  read(organisation: OrganisationKey, id: string): Promise<IssuerRow | null>;
  /**
   * Adds an issuer, with an entry in the audit log. Its name must differ from those of the others and
   * of the own organisation.
   *
   * @param issuer `by` is the administrator's email address
   */
  add(
    issuer: { organisation: OrganisationKey; name: string; by: string },
  ): Promise<{ ok: true; issuer: IssuerRow } | Failure>;
}

export function createIssuers({ kv, clock, organisations }: {
  kv: Deno.Kv;
  clock: () => number;
  organisations: Record<OrganisationKey, { name: string }>;
}): Issuers {
  const list = async (organisation: OrganisationKey) =>
    (await Array.fromAsync(issuerRows.list(kv, [organisation]), ({ value }) => value))
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    list,
    read: async (organisation, id) => (await issuerRows.get(kv, organisation, id)).value,
    async add({ organisation, name, by }) {
      const own = { organisation, name: organisations[organisation].name };
      if (nameKey({ organisation, name })[1] === nameKey(own)[1]) {
        return refused(
          "This is the own organisation, which every document can have as its issuer.",
        );
      }
      if ((await list(organisation)).length >= MAX_ISSUERS) {
        return fail("conflict", { message: `There can be at most ${MAX_ISSUERS} issuers.` });
      }
      return await transact<{ ok: true; issuer: IssuerRow } | Failure>(async () => {
        const now = clock();
        const issuer: IssuerRow = {
          id: crypto.randomUUID(),
          organisation,
          name,
          created_at: new Date(now).toISOString(),
        };
        const known = await kv.get(["issuers_by_name", ...nameKey(issuer)]);
        if (known.value !== null) {
          return { result: refused("There is already an issuer with this name.") };
        }
        const commit = kv.atomic().check(known);
        issuerRows.set(commit, issuer);
        const object = { issuer: issuer.id };
        addAudit(commit, { organisation, by, action: "issuer_added", object }, now);
        return { result: { ok: true, issuer }, commit };
      });
    },
  };
}

const refused = (problem: string) => fail("invalid_request", { issues: { name: problem } });
