import {
  type Expiring,
  expiring,
  isLive,
  isoAfter,
  unlessReadOnly,
} from "../../platform/kv/mod.ts";
import { readByTime, readPage } from "../../platform/listing/pages.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import type { AuditAction } from "./actions.ts";
import { type AuditCursor, auditList, type AuditQuery } from "./filters.ts";

export { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";
export { type AuditFilters, auditList, type AuditQuery } from "./filters.ts";

/** The objects of an action. */
export interface AuditObject {
  /** The hash of a record. */
  record?: string;
  /** The id of a document. */
  document?: string;
  /** The id of an access request. */
  request?: string;
  /** The id of a user. */
  user?: number;
}

/** The row `["audit", organisation, at, id]`. It is never changed. */
export interface AuditEntry extends Expiring {
  id: string;
  /** ISO 8601 in UTC. */
  at: string;
  /** The email address of the operator. */
  by: string;
  action: AuditAction;
  object: AuditObject;
  /** Never free text or personal data, because entries outlive the objects of their actions. */
  detail: string | null;
}

export interface NewAuditEntry {
  organisation: OrganisationKey;
  by: string;
  action: AuditAction;
  object?: AuditObject;
  detail?: string | null;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** Null if there is nothing older. Otherwise the page may still be empty, see {@link MOST_READ}. */
  next: AuditCursor | null;
}

/** The log of what operators do in the consoles. */
export interface AuditLog {
  /** Adds an entry for something that has no commit of its own. */
  add(entry: NewAuditEntry): Promise<void>;
  list(organisation: OrganisationKey, query: AuditQuery): Promise<AuditPage>;
  /** Returns every entry that matches, newest first. */
  all(organisation: OrganisationKey, query: AuditQuery): AsyncIterable<AuditEntry>;
  /** Returns the key of an operator for URLs, which must not contain addresses. */
  personKey(email: string): Promise<string>;
}

export const AUDIT_LIFETIME_MS = 365 * DAY_MS;
const AUDIT_PAGE_SIZE = 50;
/** How many entries are read for one page; then the page ends, whether or not it is full. */
export const MOST_READ = 10_000;

/**
 * Adds an entry to the commit of the action.
 *
 * @example
 * ```ts
 * addAudit(commit, { organisation, by, action: "user_deleted", object: { user: id } }, now);
 * ```
 */
export function addAudit(
  commit: Deno.AtomicOperation,
  { organisation, by, action, object = {}, detail = null }: NewAuditEntry,
  now: number,
): void {
  const entry: AuditEntry = {
    id: crypto.randomUUID(),
    at: new Date(now).toISOString(),
    by,
    action,
    object,
    detail,
    expires_at: isoAfter(now, AUDIT_LIFETIME_MS),
  };
  commit.set(["audit", organisation, entry.at, entry.id], entry, expiring(entry, now));
}

export function createAuditLog(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): AuditLog {
  const personKey = async (email: string) =>
    (await secrets.sign("audit-person", email)).slice(0, 16);

  /** Reads a period, newest first, whether or not the entries match or have expired. */
  async function* readPeriod(
    organisation: OrganisationKey,
    { from, to, after }: AuditQuery,
  ): AsyncGenerator<AuditEntry> {
    const range = { from, to, after: after && [after.at, after.id] as const };
    const batches = readByTime<AuditEntry>(kv, ["audit", organisation], {
      ...range,
      first: AUDIT_PAGE_SIZE + 1,
    });
    for await (const { entries } of batches) yield* entries.map(({ value }) => value);
  }

  /** Returns a function that tests whether an entry matches everything except the period. */
  function createMatcher(query: AuditQuery) {
    const matches = auditList.matcher(query);
    const keys = new Map<string, string>();
    return async (entry: AuditEntry): Promise<boolean> => {
      if (!isLive(entry, clock())) return false;
      if (query.person !== undefined && !keys.has(entry.by)) {
        keys.set(entry.by, await personKey(entry.by));
      }
      return matches({ action: entry.action, person: keys.get(entry.by) });
    };
  }

  return {
    personKey,
    async add(entry) {
      const commit = kv.atomic();
      addAudit(commit, entry, clock());
      await unlessReadOnly(() => commit.commit());
    },
    async list(organisation, query) {
      const { page, last } = await readPage(readPeriod(organisation, query), {
        size: AUDIT_PAGE_SIZE,
        most: MOST_READ,
        matches: createMatcher(query),
      });
      return { entries: page, next: last && { at: last.at, id: last.id } };
    },
    async *all(organisation, query) {
      const matches = createMatcher(query);
      for await (const entry of readPeriod(organisation, query)) {
        if (await matches(entry)) yield entry;
      }
    },
  };
}
