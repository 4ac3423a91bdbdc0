/** Adds, lists, renames and removes issuers, and checks that one may issue a document. */
import { addAudit } from "../audit/mod.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { forgetNetworks } from "./key_networks.ts";
import { deleteKey, keysOfIssuer } from "./key_rows.ts";
import {
  changeIssuer,
  type IssuerChange,
  type IssuerResult,
  type IssuersOptions,
  readIssuer,
} from "./change.ts";
import { endDomainAlert } from "./domain_alert.ts";
import { issuerPictures, PICTURE_KINDS } from "./pictures.ts";
import { createProfiles, type Profiles } from "./profiles.ts";
import {
  BY_NAME,
  DOCUMENTS_BY_ISSUER,
  type IssuerRow,
  issuerRows,
  nameKey,
  newIssuer,
  ownIssuer,
} from "./rows.ts";
import { issuerUses, readIssuerUses } from "./uses.ts";

/** The most issuers of one organisation. They are chosen from a list. */
const MAX_ISSUERS = 500;

/** How often a new document notes the use of its issuer. */
const USE_MS = MINUTE_MS;

/** The organisations whose documents are registered here, the own ones among them. */
export interface Issuers extends Profiles {
  /** Returns the issuers of an organisation's documents: itself, then the others by name. */
  list(organisation: OrganisationKey): Promise<IssuerRow[]>;
  read(organisation: OrganisationKey, id: string): Promise<IssuerRow | null>;
  /** Reads the issuers of documents, by their ids. Those that were removed are missing. */
  readMany(
    documents: readonly { organisation: OrganisationKey; issuer: { id: string } }[],
  ): Promise<Map<string, IssuerRow>>;
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
  /** Removes an issuer and its API keys. Fails with `conflict` if a document names it. */
  remove(change: IssuerChange): Promise<IssuerResult>;
  /** Returns when each issuer of an organisation was last used, by its id, ISO 8601 in UTC. */
  lastUses(organisation: OrganisationKey): Promise<Map<string, string>>;
  /**
   * Makes a commit fail if an issuer is removed, suspended or ended meanwhile. Returns why it cannot issue, if it
   * cannot now.
   */
  addCheck(
    commit: Deno.AtomicOperation,
    issuer: { organisation: OrganisationKey; id: string },
  ): Promise<Failure | null>;
  /**
   * Adds to the commit of a new document that it has this issuer. Returns why it cannot, if the issuer was
   * removed or is not active.
   */
  addUse(
    commit: Deno.AtomicOperation,
    use: { organisation: OrganisationKey; id: string; at: string },
  ): Promise<Failure | null>;
}

export function createIssuers(options: IssuersOptions): Issuers {
  const { kv, clock, organisations } = options;
  const list = async (organisation: OrganisationKey) => {
    const rows = await Array.fromAsync(
      issuerRows.list(kv, [organisation]),
      ({ value }) => value,
    );
    const { name } = organisations[organisation];
    const own = rows.find(({ id }) => id === organisation) ??
      ownIssuer({ key: organisation, name });
    const others = rows.filter(({ id }) => id !== organisation)
      .sort((a, b) => a.name.localeCompare(b.name, "en"));
    return [{ ...own, name }, ...others];
  };
  const isOwn = ({ organisation, name }: Pick<IssuerRow, "organisation" | "name">) => {
    const own = { organisation, name: organisations[organisation].name };
    return nameKey({ organisation, name })[1] === nameKey(own)[1];
  };
  const addCheck: Issuers["addCheck"] = async (commit, { organisation, id }) => {
    if (id === organisation) return null; // nobody can remove or suspend it
    const entry = await issuerRows.get(kv, organisation, id);
    const problem = issuingProblem(entry.value);
    if (problem === null) commit.check(entry);
    return problem;
  };
  return {
    ...createProfiles(options),
    list,
    lastUses: (organisation) => readIssuerUses(kv, organisation),
    read: async (organisation, id) => (await readIssuer(options, organisation, id)).value,
    async readMany(documents) {
      const keys = new Map(
        documents.map(({ organisation, issuer: { id } }) => [id, [organisation, id] as const]),
      );
      const rows = await issuerRows.getMany(kv, [...keys.values()]);
      return new Map(rows.map(({ value }) => [value.id, value]));
    },
    async add({ organisation, name, by }) {
      if (isOwn({ organisation, name })) return refused(OWN_NAME);
      if ((await list(organisation)).length > MAX_ISSUERS) {
        return fail("conflict", { message: `There can be at most ${MAX_ISSUERS} issuers.` });
      }
      return await transact<IssuerResult>(async () => {
        const now = clock();
        const issuer = newIssuer({ id: crypto.randomUUID(), organisation, name }, now);
        const known = await kv.get([BY_NAME, ...nameKey(issuer)]);
        if (known.value !== null) return { result: refused(TAKEN_NAME) };
        const commit = kv.atomic().check(known);
        issuerRows.set(commit, issuer);
        const object = { issuer: issuer.id };
        addAudit(commit, { organisation, by, action: "issuer_added", object }, now);
        return { result: { ok: true, issuer }, commit };
      });
    },
    async rename({ organisation, id, name, by }) {
      if (isOwn({ organisation, name })) return refused(OWN_NAME);
      if (id === organisation) return refused(OWN_NAME_SET);
      return await changeIssuer(options, { organisation, id, by }, async (before, commit) => {
        const issuer = { ...before, name };
        const known = await kv.get([BY_NAME, ...nameKey(issuer)]);
        if (known.value !== null && known.value !== id) return refused(TAKEN_NAME);
        if (name === before.name) return null;
        commit.check(known);
        const detail = `${before.name} → ${name}`;
        return { ok: true, issuer, action: "issuer_renamed", detail };
      });
    },
    async remove({ organisation, id, by }) {
      if (id === organisation) return fail("conflict", { message: OWN });
      const removed = await transact<IssuerResult>(async () => {
        const [{ value: issuer, ...entry }, use] = await Promise.all([
          issuerRows.get(kv, organisation, id),
          issuerUses.get(kv, organisation, id),
        ]);
        if (issuer === null) return { result: fail("not_found") };
        // A document that is added meanwhile changes the row of the use, so the commit fails.
        if (wasUsedSince(use.value, clock() - USE_MS) || await isNamed(kv, id)) {
          return { result: fail("conflict", { message: NAMED }) };
        }
        const commit = kv.atomic().check(entry, use); // a new key changes the issuer's row
        issuerRows.delete(commit, issuer);
        commit.delete(use.key);
        for (const kind of PICTURE_KINDS) commit.delete(issuerPictures.key(organisation, id, kind));
        await endDomainAlert(kv, commit, issuer, clock());
        const keys = await keysOfIssuer(kv, id);
        unchecked("A new key changes the row of its issuer.", ...keys);
        for (const key of keys) deleteKey(commit, key.value);
        const about = { object: { issuer: id }, detail: issuer.name };
        addAudit(commit, { organisation, by, action: "issuer_removed", ...about }, clock());
        return { result: { ok: true, issuer }, commit };
      });
      if (removed.ok) await Promise.all([forgetNetworks(kv, id), options.onRemoved?.(id)]);
      return removed;
    },
    addCheck,
    async addUse(commit, { organisation, id, at }) {
      if (id === organisation) return null;
      const [problem, use] = await Promise.all([
        addCheck(commit, { organisation, id }),
        issuerUses.get(kv, organisation, id),
      ]);
      if (problem !== null) return problem;
      unchecked("An issuer with a recent use cannot be removed.", use);
      if (!wasUsedSince(use.value, Date.parse(at) - USE_MS)) {
        issuerUses.set(commit, { organisation, issuer: id, used_at: at });
      }
      return null;
    },
  };
}

/** Returns why an issuer cannot issue a document; null if it can. */
export function issuingProblem(issuer: IssuerRow | null): Failure | null {
  switch (issuer?.state) {
    case "active":
      return null;
    case "suspended":
      return fail("issuer_suspended", { message: "This issuer is suspended." });
    case "ended":
      return fail("issuer_ended", { message: "This issuer no longer issues documents." });
    default:
      return fail("invalid_request", { issues: { issuer: "Choose an issuer from the list." } });
  }
}

const OWN = "This is your own organisation, which issues its own documents.";
const OWN_NAME = "This is your own organisation, which can issue any document.";
const OWN_NAME_SET = "The name of your own organisation is part of the configuration.";
const TAKEN_NAME = "There is already an issuer with this name.";
const NAMED = "A document names this issuer, so it can be renamed but not removed.";

const wasUsedSince = (use: { used_at: string } | null, since: number): boolean =>
  use !== null && Date.parse(use.used_at) > since;

async function isNamed(kv: Deno.Kv, id: string): Promise<boolean> {
  const [found] = await Array.fromAsync(
    kv.list({ prefix: [DOCUMENTS_BY_ISSUER, id] }, { limit: 1 }),
  );
  return found !== undefined;
}

const refused = (problem: string) => fail("invalid_request", { issues: { name: problem } });
