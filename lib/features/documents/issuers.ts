import { z } from "zod";
import { addAudit } from "../audit/mod.ts";
import { ALWAYS, defineTable, transact } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { BY_ISSUER } from "./store.ts";

/** An organisation that makes documents, which the site's organisation registers. */
const issuerRow = z.strictObject({
  id: z.string(),
  /** The organisation that registers its documents. */
  organisation: z.enum(["foundation", "commercial"]),
  name: z.string(),
  created_at: z.string(),
  /** When a document with this issuer was last added. Absent before, and in rows of earlier builds. */
  used_at: z.string().optional(),
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
  ): Promise<IssuerResult>;
  /** Renames an issuer. Its documents keep the name that they were issued with. */
  rename(change: IssuerChange & { name: string }): Promise<IssuerResult>;
  /** Removes an issuer. Fails with `conflict` if a document names it. */
  remove(change: IssuerChange): Promise<IssuerResult>;
}

export type IssuerResult = { ok: true; issuer: IssuerRow } | Failure;

/** The issuer to change, and the email address of the administrator. */
interface IssuerChange {
  organisation: OrganisationKey;
  id: string;
  by: string;
}

/** Adds to the commit of a new document that it has this issuer. Returns false if it was removed. */
export async function addUse(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { organisation, id, at }: { organisation: OrganisationKey; id: string; at: string },
): Promise<boolean> {
  const entry = await issuerRows.get(kv, organisation, id);
  if (entry.value === null) return false;
  issuerRows.set(commit.check(entry), { ...entry.value, used_at: at });
  return true;
}

export function createIssuers({ kv, clock, organisations }: {
  kv: Deno.Kv;
  clock: () => number;
  organisations: Record<OrganisationKey, { name: string }>;
}): Issuers {
  const list = async (organisation: OrganisationKey) =>
    (await Array.fromAsync(issuerRows.list(kv, [organisation]), ({ value }) => value))
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const isOwn = ({ organisation, name }: Pick<IssuerRow, "organisation" | "name">) => {
    const own = { organisation, name: organisations[organisation].name };
    return nameKey({ organisation, name })[1] === nameKey(own)[1];
  };
  return {
    list,
    read: async (organisation, id) => (await issuerRows.get(kv, organisation, id)).value,
    async add({ organisation, name, by }) {
      if (isOwn({ organisation, name })) return refused(OWN_NAME);
      if ((await list(organisation)).length >= MAX_ISSUERS) {
        return fail("conflict", { message: `There can be at most ${MAX_ISSUERS} issuers.` });
      }
      return await transact<IssuerResult>(async () => {
        const now = clock();
        const issuer: IssuerRow = {
          id: crypto.randomUUID(),
          organisation,
          name,
          created_at: new Date(now).toISOString(),
        };
        const known = await kv.get(["issuers_by_name", ...nameKey(issuer)]);
        if (known.value !== null) return { result: refused(TAKEN_NAME) };
        const commit = kv.atomic().check(known);
        issuerRows.set(commit, issuer);
        const object = { issuer: issuer.id };
        addAudit(commit, { organisation, by, action: "issuer_added", object }, now);
        return { result: { ok: true, issuer }, commit };
      });
    },
    rename: async ({ organisation, id, name, by }) =>
      isOwn({ organisation, name }) ? refused(OWN_NAME) : await transact<IssuerResult>(async () => {
        const entry = await issuerRows.get(kv, organisation, id);
        if (entry.value === null) return { result: fail("not_found") };
        const issuer = { ...entry.value, name };
        const known = await kv.get(["issuers_by_name", ...nameKey(issuer)]);
        if (known.value !== null && known.value !== id) return { result: refused(TAKEN_NAME) };
        if (name === entry.value.name) return { result: { ok: true, issuer } };
        const commit = kv.atomic().check(entry, known);
        issuerRows.delete(commit, entry.value);
        issuerRows.set(commit, issuer);
        const about = { object: { issuer: id }, detail: `${entry.value.name} → ${name}` };
        addAudit(commit, { organisation, by, action: "issuer_renamed", ...about }, clock());
        return { result: { ok: true, issuer }, commit };
      }),
    remove: ({ organisation, id, by }) =>
      transact<IssuerResult>(async () => {
        const { value: issuer, ...entry } = await issuerRows.get(kv, organisation, id);
        if (issuer === null) return { result: fail("not_found") };
        // A document that is added meanwhile changes the row, so the commit fails.
        if (await isNamed(kv, id)) return { result: fail("conflict", { message: NAMED }) };
        const commit = kv.atomic().check(entry);
        issuerRows.delete(commit, issuer);
        const about = { object: { issuer: id }, detail: issuer.name };
        addAudit(commit, { organisation, by, action: "issuer_removed", ...about }, clock());
        return { result: { ok: true, issuer }, commit };
      }),
  };
}

const OWN_NAME = "This is the own organisation, which every document can have as its issuer.";
const TAKEN_NAME = "There is already an issuer with this name.";
const NAMED = "A document names this issuer, so it can be renamed but not removed.";

async function isNamed(kv: Deno.Kv, id: string): Promise<boolean> {
  const [found] = await Array.fromAsync(kv.list({ prefix: [BY_ISSUER, id] }, { limit: 1 }));
  return found !== undefined;
}

const refused = (problem: string) => fail("invalid_request", { issues: { name: problem } });
