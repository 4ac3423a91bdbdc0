/** The audit log of the consoles: reading, filtering and exporting its entries. */
import { unlessReadOnly } from "../../platform/kv/mod.ts";
import { readIndexed, readPage, readRows, type RowPosition } from "../../platform/listing/pages.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { AuditQuery } from "./filters.ts";
import {
  addAudit,
  type AuditEntry,
  auditLog,
  BY_ACTION,
  BY_PERSON,
  type NewAuditEntry,
  readPeople,
} from "./store.ts";

export { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";
export { type Exporter, exportList } from "./http.ts";
export { type AuditFilters, auditList, type AuditQuery } from "./filters.ts";
export {
  addAudit,
  AUDIT_LIFETIME_MS,
  type AuditEntry,
  type AuditObject,
  type NewAuditEntry,
} from "./store.ts";

/** A page of the audit log. */
export interface AuditPage {
  /** The entries, newest first. */
  entries: AuditEntry[];
  /** Null if there is nothing older. */
  next: RowPosition | null;
}

/** The log of what operators do in the consoles. */
export type AuditLog = ReturnType<typeof createAuditLog>;

const AUDIT_PAGE_SIZE = 50;

/** Creates the audit log of both organisations. */
export function createAuditLog(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
) {
  /** Returns the key of an operator for URLs, which must not contain addresses. */
  const personKeys = async (email: string) =>
    (await secrets.signatures("audit-person", email)).map((key) => key.slice(0, 16));
  const personKey = async (email: string) => (await personKeys(email))[0];

  const isPerson = async (email: string, key: string) => (await personKeys(email)).includes(key);

  /** Reads the entries that a query selects, newest first. */
  async function* read(
    organisation: OrganisationKey,
    { person, action, from, to, after }: AuditQuery,
  ): AsyncGenerator<AuditEntry> {
    const range = { from, to, after, first: AUDIT_PAGE_SIZE + 1 };
    const ofIndex = (...index: string[]) =>
      readIndexed(kv, auditLog, [...index, organisation], clock(), range);
    if (person !== undefined) {
      const by = await findPerson(organisation, person);
      if (by !== undefined) yield* ofIndex(BY_PERSON, by, action ?? "");
    } else if (action !== undefined) yield* ofIndex(BY_ACTION, action);
    else yield* readRows(kv, auditLog, [organisation], clock(), range);
  }

  /** Returns the address of the operator with a key; undefined if nobody with entries has it. */
  async function findPerson(organisation: OrganisationKey, key: string) {
    for (const email of await readPeople(kv, organisation)) {
      if (await isPerson(email, key)) return email;
    }
  }

  return {
    personKey,
    /** Returns whether a key is the one of an operator, even if it was computed with an older secret. */
    isPerson,
    /** Adds an entry for something that has no commit of its own. */
    async add(entry: NewAuditEntry): Promise<void> {
      const commit = kv.atomic();
      addAudit(commit, entry, clock());
      await unlessReadOnly(() => commit.commit());
    },
    async list(organisation: OrganisationKey, query: AuditQuery): Promise<AuditPage> {
      const rows = read(organisation, query);
      const { page, next } = await readPage(rows, { size: AUDIT_PAGE_SIZE });
      return { entries: page, next };
    },
    /** Returns every entry that matches, newest first. */
    all: (organisation: OrganisationKey, query: AuditQuery) =>
      read(organisation, { ...query, after: undefined }),
  };
}
