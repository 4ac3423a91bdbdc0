import {
  type Expiring,
  expiring,
  isLive,
  isoAfter,
  unlessReadOnly,
} from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS } from "../../base/time.ts";

/** The actions of operators that are logged, with their names for people. */
export const AUDIT_ACTIONS = {
  sign_in: "Signed in",
  identity_checked: "Checked an identity",
  identity_revoked: "Revoked level 4",
  recovery_started: "Started a recovery",
  recovery_cancelled: "Cancelled a recovery",
  document_added: "Added a document",
  document_replaced: "Added a version of a document",
  document_edited: "Edited a document",
  document_withdrawn: "Withdrew a document",
  access_approved: "Approved access to a document",
  access_refused: "Refused access to a document",
  access_revoked: "Revoked access to a document",
  alert_done: "Marked an alert as done",
  alert_reopened: "Reopened an alert",
  mail_sent_again: "Sent a mail again",
  bank_refreshed: "Refreshed the bank’s figures",
  push_sent: "Sent a notification",
  user_deleted: "Deleted a user",
  record_deleted: "Deleted a record",
  records_exported: "Exported records",
  transactions_exported: "Exported transactions",
  payments_exported: "Exported payments",
  audit_log_exported: "Exported the audit log",
} as const;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Describes the filters of an export by their names and values, none of which may be personal. */
export function describeFilters(filters: Record<string, unknown>): string {
  const parts = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`]
  );
  return parts.length === 0 ? "all" : parts.join(", ");
}

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

/** The entries to read. Everything that is absent matches. */
export interface AuditQuery {
  /** From {@link AuditLog.personKey}. */
  person?: string;
  action?: AuditAction;
  /** First and last day, `YYYY-MM-DD` in UTC. */
  from?: string;
  to?: string;
  /** Continues after an earlier page. */
  after?: AuditCursor;
}

/** The last entry that was read. */
export type AuditCursor = Pick<AuditEntry, "at" | "id">;

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
const BATCH = 500;

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

  /** Reads a period, whether or not the entries match or have expired. */
  async function* readPeriod(
    organisation: OrganisationKey,
    { from = "", to, after }: AuditQuery,
  ): AsyncGenerator<AuditEntry> {
    const prefix = ["audit", organisation];
    const start = [...prefix, from];
    // A letter follows every time of the last day, and every time at all.
    const last = to === undefined ? "Z" : `${to}Z`;
    let end = after !== undefined && after.at < last
      ? [...prefix, after.at, after.id]
      : [...prefix, last];
    // Usually enough for a page. Further batches are larger.
    let size = AUDIT_PAGE_SIZE + 1;
    while (true) {
      const batch = await Array.fromAsync(
        kv.list<AuditEntry>({ start, end }, { limit: size, batchSize: size, reverse: true }),
      );
      for (const { value } of batch) yield value;
      if (batch.length < size) return;
      end = batch[size - 1].key as string[];
      size = BATCH;
    }
  }

  /** Returns a function that tests whether an entry matches everything except the period. */
  function createMatcher({ person, action }: AuditQuery) {
    const keys = new Map<string, string>();
    return async (entry: AuditEntry): Promise<boolean> => {
      if (!isLive(entry, clock())) return false;
      if (action !== undefined && entry.action !== action) return false;
      if (person === undefined) return true;
      if (!keys.has(entry.by)) keys.set(entry.by, await personKey(entry.by));
      return keys.get(entry.by) === person;
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
      const matches = createMatcher(query);
      const entries: AuditEntry[] = [];
      let read = 0;
      let last: AuditEntry | undefined;
      for await (const entry of readPeriod(organisation, query)) {
        if (read === MOST_READ) return { entries, next: cursorOf(last!) };
        if (await matches(entry)) {
          if (entries.length === AUDIT_PAGE_SIZE) {
            return { entries, next: cursorOf(entries.at(-1)!) };
          }
          entries.push(entry);
        }
        last = entry;
        read++;
      }
      return { entries, next: null };
    },
    async *all(organisation, query) {
      const matches = createMatcher(query);
      for await (const entry of readPeriod(organisation, query)) {
        if (await matches(entry)) yield entry;
      }
    },
  };
}

const cursorOf = ({ at, id }: AuditEntry): AuditCursor => ({ at, id });
