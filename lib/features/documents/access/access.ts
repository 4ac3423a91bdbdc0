/**
 * The service of requests for access, with their part in the deletion and correction of records.
 *
 * @module
 */
import { transact } from "../../../platform/kv/mod.ts";
import { addAccess, readExisting, type RecordData, SITE } from "../../records/mod.ts";
import type { Mailer } from "../../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { removeAll } from "./confirmations.ts";
import {
  type AccessRequestRow,
  afterAction,
  canBeUndone,
  describe,
  listRequestIds,
  listRequests,
  personKey,
  possibleActions,
  readRequest,
  type RequestAction,
  requests,
  type RequestState,
  saveRequest,
  stateOf,
} from "./requests.ts";
import { createDeciding, type Deciding } from "./decide.ts";
import { endPersonalLink, listOpened } from "./personal_links.ts";
import { createRenewing, type Renewing } from "./renew.ts";
import { type AccessOptions, createRequesting, type Requesting } from "./ask.ts";
import { moveLinks } from "./share_data.ts";
import { type DocumentRow, documents, endOf, listDocuments } from "../store.ts";
import { recallDecision } from "./undo.ts";
import { unconfirmed } from "./unconfirmed.ts";
import { createWithdrawals, type Withdrawals } from "./withdrawals.ts";

/** A confirmed request as its holder and administrators see it. */
export interface AccessRequest
  extends Omit<AccessRequestRow, "state" | "mac" | "links" | "share" | "held" | "expires_at"> {
  state: RequestState;
  /** When its document was withdrawn or expired, if that ended the request; ISO 8601 in UTC. */
  ended_at: string | null;
  /** The title of the document; null if it no longer exists. */
  title: string | null;
  /** The actions that are possible now. */
  actions: RequestAction[];
  /** Until when the latest decision can be undone, ISO 8601 in UTC; null if it cannot. */
  undo_until: string | null;
  /** True if the person has opened the document's link. */
  opened: boolean;
}

/** Requests for access to documents. */
export interface Access extends Requesting, Deciding, Renewing {
  withdrawals: Withdrawals;
  /**
   * Returns the confirmed requests for the documents of a record, newest first.
   *
   * @param documents those of the record, if the caller reads them too
   */
  list(record: string, documents?: Promise<readonly DocumentRow[]>): Promise<AccessRequest[]>;
  /** Returns a confirmed request for a document of an organisation. */
  readOf(organisation: OrganisationKey, id: string): Promise<AccessRequest | null>;
}

/**
 * Creates the requests for access to documents.
 *
 * @example
 * ```ts
 * const requests = await access.list(record); // newest first
 * ```
 */
export function createAccess(options: AccessOptions): Access {
  const { kv, clock } = options;

  function viewOf(
    row: AccessRequestRow,
    document: DocumentRow | null,
    opened: ReadonlySet<string>,
  ): AccessRequest {
    const { mac: _, links: __, share: ___, held, expires_at: ____, ...request } = row;
    const now = clock();
    const state = stateOf(row, now);
    const end = state === "open" || state === "approved" ? endOf(document, now) : null;
    const actions = possibleActions(row, now);
    return {
      ...request,
      state: end === null ? state : STATES_AT_END[end.as],
      ended_at: end?.at ?? null,
      title: document?.title ?? null,
      actions: end === null
        ? actions
        : actions.filter((action) => ACTIONS_AT_END[end.as].has(action)),
      undo_until: canBeUndone(row, now) ? held!.until : null,
      opened: opened.has(row.id),
    };
  }

  return {
    ...createRequesting(options),
    ...createDeciding(options),
    ...createRenewing(options),
    withdrawals: createWithdrawals(options),
    async list(record, documents = listDocuments(kv, record)) {
      const [rows, ofRecord] = await Promise.all([listRequests(kv, record, clock()), documents]);
      const approved = rows.filter(({ state }) => state === "approved");
      const opened = await listOpened(kv, approved);
      return rows.map((row) =>
        viewOf(row, ofRecord.find(({ id }) => id === row.document) ?? null, opened)
      );
    },
    async readOf(organisation, id) {
      const row = await readRequest(kv, id, clock());
      const isOwn = row !== null && row.confirmed_at !== null && row.organisation === organisation;
      if (!isOwn) return null;
      const [document, opened] = await Promise.all([
        documents.get(kv, row.document),
        listOpened(kv, [row]),
      ]);
      return viewOf(row, document.value, opened);
    },
  };
}

/** The states of requests whose document has ended. */
const STATES_AT_END = { withdrawn: "withdrawn", expired: "document_expired" } as const;

/** The actions that are left then. A new version or another date would give access again. */
const ACTIONS_AT_END: Record<keyof typeof STATES_AT_END, ReadonlySet<RequestAction>> = {
  withdrawn: new Set(["revoke"]),
  expired: new Set(["revoke", "refuse"]),
};

/** The person who made a correction that is undone may have approved their own requests. */
const wasApprovedSince = (
  { state, decided_by, decided_at }: AccessRequestRow,
  since: string,
): boolean => state === "approved" && decided_by === "holder" && decided_at! >= since;

/**
 * Adds to a commit that a request no longer gives access, and logs it for a record.
 *
 * @returns the request afterwards; null if it gave no access
 */
async function addRevocation(
  services: { kv: Deno.Kv; mailer: Mailer },
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  { record, now }: { record: string; now: number },
): Promise<AccessRequestRow | null> {
  const revoked = afterAction(row, "revoke", now);
  if (revoked === null) return null;
  await endPersonalLink(services.kv, commit, row, now);
  await recallDecision(services, commit, row);
  const detail = describe(row);
  addAccess(commit, record, { what: "access_revoked", reader: SITE, detail }, now);
  return { ...revoked, share: null };
}

/** Requests take part in the deletion and the correction of their record, and move the links with them. */
export const accessData = (
  { kv, clock, mailer }: Pick<AccessOptions, "kv" | "clock" | "mailer">,
): RecordData => ({
  endAccess: (hash) => revokeAll({ kv, clock, mailer }, hash),
  name: "access requests",
  async deleteOf(hash) {
    for (const id of await listRequestIds(kv, hash)) {
      await transact(async () => {
        const entry = await requests.get(kv, id);
        const row = entry.value;
        if (row?.record !== hash) return { result: undefined };
        const person = await kv.get<string>(personKey(row.document, row.mac));
        const commit = kv.atomic().check(entry, person);
        removeAll(commit, row);
        if (person.value === id) commit.delete(person.key);
        commit.delete(unconfirmed.key(row.document));
        return { result: undefined, commit };
      });
    }
  },
  async move(from, to, undoneSince) {
    for (const id of await listRequestIds(kv, from)) {
      await transact(async () => {
        const entry = await requests.get(kv, id);
        const row = entry.value;
        if (row?.record !== from) return { result: undefined };
        const now = clock();
        const commit = kv.atomic().check(entry);
        requests.delete(commit, row);
        if (undoneSince === undefined || !wasApprovedSince(row, undoneSince)) {
          requests.set(commit, { ...row, record: to }, now);
          return { result: undefined, commit };
        }
        const revoked = await addRevocation({ kv, mailer }, commit, row, { record: to, now });
        requests.set(commit, { ...revoked ?? row, record: to }, now);
        return { result: undefined, commit };
      });
    }
    await moveLinks({ kv, clock }, from, to, undoneSince);
  },
  // Access lasts seven days, so this revokes everything that was approved in the last seven days.
  async signOut(hash, session) {
    if (session === null) await revokeAll({ kv, clock, mailer }, hash);
  },
  undo: {
    async revoke_access(commit, { record, undo, now }) {
      const entry = await requests.get(kv, undo.request);
      const row = entry.value;
      if (row?.record !== record.hash) return false;
      const revoked = await addRevocation({ kv, mailer }, commit, row, {
        record: record.hash,
        now,
      });
      if (revoked === null) return false;
      saveRequest(commit.check(entry), revoked, now);
      return true;
    },
  },
});

/** Revokes the access of everybody whose request for a document of a record was approved. */
async function revokeAll(
  { kv, clock, mailer }: Pick<AccessOptions, "kv" | "clock" | "mailer">,
  hash: string,
): Promise<void> {
  for (const id of await listRequestIds(kv, hash, { confirmed: true })) {
    await transact(async () => {
      const [entry, record] = await Promise.all([requests.get(kv, id), readExisting(kv, hash)]);
      const row = entry.value;
      const now = clock();
      const isApproved = row?.record === hash && stateOf(row, now) === "approved";
      if (!isApproved || record === null) return { result: undefined };
      const commit = kv.atomic().check(entry, record.contact);
      const revoked = await addRevocation({ kv, mailer }, commit, row, { record: hash, now });
      saveRequest(commit, revoked!, now);
      return { result: undefined, commit };
    });
  }
}
