import { unlessReadOnly } from "../../platform/kv/mod.ts";
import { readIndexed, readPage, readRows, type RowPosition } from "../../platform/listing/pages.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { auditList, type AuditQuery } from "./filters.ts";
import { addAudit, type AuditEntry, auditLog, BY_ACTION, type NewAuditEntry } from "./store.ts";

export { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";
export { type AuditFilters, auditList, type AuditQuery } from "./filters.ts";
export { addAudit, AUDIT_LIFETIME_MS, type AuditEntry, type AuditObject } from "./store.ts";

export interface AuditPage {
  /** The entries, newest first. */
  entries: AuditEntry[];
  /** Null if there is nothing older. Otherwise the page may still be empty, see {@link MOST_READ}. */
  next: RowPosition | null;
}

/** The log of what operators do in the consoles. */
export type AuditLog = ReturnType<typeof createAuditLog>;

const AUDIT_PAGE_SIZE = 50;
/** How many entries are read for one page; then the page ends, whether or not it is full. */
export const MOST_READ = 1_000;

export function createAuditLog(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
) {
  /** Returns the key of an operator for URLs, which must not contain addresses. */
  const personKeys = async (email: string) =>
    (await secrets.signatures("audit-person", email)).map((key) => key.slice(0, 16));
  const personKey = async (email: string) => (await personKeys(email))[0];

  const isPerson = async (email: string, key: string) => (await personKeys(email)).includes(key);

  function readPeriod(
    organisation: OrganisationKey,
    { action, from, to, after }: AuditQuery,
  ): AsyncGenerator<AuditEntry> {
    const range = { from, to, after, first: AUDIT_PAGE_SIZE + 1 };
    return action === undefined
      ? readRows(kv, auditLog, [organisation], clock(), range)
      : readIndexed(kv, auditLog, [BY_ACTION, action, organisation], clock(), range);
  }

  /** Returns a function that tests whether an entry matches everything except the period. */
  function createMatcher(query: AuditQuery) {
    const matches = auditList.matcher(query);
    const { person } = query;
    const known = new Map<string, boolean>();
    return async ({ by, action }: AuditEntry): Promise<boolean> => {
      if (person !== undefined && !known.has(by)) known.set(by, await isPerson(by, person));
      return matches({ action, person: known.get(by) ? person : undefined });
    };
  }

  return {
    personKey,
    /** Returns whether a key is the one of an operator, also if it was computed with an older secret. */
    isPerson,
    /** Adds an entry for something that has no commit of its own. */
    async add(entry: NewAuditEntry): Promise<void> {
      const commit = kv.atomic();
      addAudit(commit, entry, clock());
      await unlessReadOnly(() => commit.commit());
    },
    async list(organisation: OrganisationKey, query: AuditQuery): Promise<AuditPage> {
      const { page, next } = await readPage(readPeriod(organisation, query), {
        size: AUDIT_PAGE_SIZE,
        most: MOST_READ,
        matches: createMatcher(query),
      });
      return { entries: page, next };
    },
    /** Returns every entry that matches, newest first. */
    async *all(organisation: OrganisationKey, query: AuditQuery): AsyncGenerator<AuditEntry> {
      const matches = createMatcher(query);
      for await (const entry of readPeriod(organisation, query)) {
        if (await matches(entry)) yield entry;
      }
    },
  };
}
