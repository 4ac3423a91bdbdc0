import { addAudit } from "../audit/mod.ts";
import { setAlertState } from "../alerts/mod.ts";
import { readSlot, transact } from "../../platform/kv/mod.ts";
import type { QueuedMail } from "../../platform/mail/mod.ts";
import { addAccess, ADMINISTRATOR, checkSession, type Reader, readRecord } from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { HOUR_MS } from "../../base/time.ts";
import { addLink, findLink, type FoundLink, useLink } from "./access_links.ts";
import { createAccessMails } from "./access_mails.tsx";
import {
  type AccessRequestRow,
  afterAction,
  type RequestAction,
  requests,
  saveRequest,
  stateOf,
} from "./access_requests.ts";
import { addGrant, findGrant, removeGrant } from "./grants.ts";
import { formatDocumentId } from "./ids.ts";
import { ACCESS_REQUESTED, type AccessOptions, describe } from "./request_access.ts";

/** The person who decides: the holder of a record, or an administrator of an organisation. */
export type Decider =
  | { record: string; reader: Reader }
  | { organisation: OrganisationKey; email: string };

export interface Decision {
  /** The id of the request. */
  id: string;
  act: Exclude<RequestAction, "confirm">;
  /** Mailed to the person who asked. */
  reason?: string;
  decider: Decider;
}

/** The state of a grant link in the browser that opened it. `here`: this browser has the grant. */
export type LinkView =
  | { ok: true; state: "open" | "here" | "elsewhere"; document: string; endsAt: string }
  | Failure<"not_found">;

export interface Deciding {
  /** Approves, refuses or revokes a request. Fails with `conflict` if that is not possible now. */
  decide(decision: Decision): Promise<
    { ok: true; request: AccessRequestRow } | Failure<"not_found" | "conflict">
  >;
  /** Reads a grant link, without using it. */
  readLink(token: string, request: Request): Promise<LinkView>;
  /** Uses a grant link: binds the grant to the browser that sent the request. */
  useLink(
    token: string,
    request: Request,
    reader: Reader,
  ): Promise<{ ok: true; document: string; cookie: string } | Failure<"not_found" | "used">>;
  /** Mails a new link to the address of the request, if it still gives access. */
  renewLink(token: string): Promise<void>;
}

/** The most new links for one request in an hour. */
export const NEW_LINKS_PER_HOUR = 3;

const LOGGED = {
  approve: "access_approved",
  refuse: "access_refused",
  revoke: "access_revoked",
} as const;

export function createDeciding(options: AccessOptions): Deciding {
  const { kv, clock, mailer, notices } = options;
  const mails = createAccessMails(options);

  /** Returns a grant link whose request still gives access. */
  async function openLink(token: string): Promise<FoundLink | null> {
    const now = clock();
    const link = await findLink(kv, token, "open", now);
    return link !== null && stateOf(link.row, now) === "approved" ? link : null;
  }

  return {
    async decide({ id, act: action, reason = null, decider }) {
      let queued: QueuedMail[] = [];
      const result = await transact<Awaited<ReturnType<Deciding["decide"]>>>(async () => {
        queued = [];
        const now = clock();
        const entry = await requests.get(kv, id);
        const before = entry.value;
        // Nobody may see an unconfirmed request.
        if (before === null || before.confirmed_at === null || !isFor(before, decider)) {
          return { result: fail("not_found") };
        }
        const record = await readRecord(kv, before.record);
        if (record === null) return { result: fail("not_found") }; // it is being deleted
        if (action === "approve" && record.row.deletion_at) {
          return { result: fail("conflict", { message: "This record will be deleted." }) };
        }
        const after = afterAction(before, action, now);
        if (after === null) return { result: fail("conflict", { message: TOO_LATE }) };
        const by = "record" in decider ? "holder" : decider.email;
        const decided: AccessRequestRow = {
          ...after,
          decided_at: new Date(now).toISOString(),
          decided_by: by,
          decision_reason: action === "revoke" ? before.decision_reason : reason,
        };
        const commit = kv.atomic().check(entry, record.contact);
        const reader = "record" in decider ? decider.reader : ADMINISTRATOR;
        await checkSession(kv, commit, reader.session);
        addAccess(
          commit,
          before.record,
          { what: LOGGED[action], reader, detail: describe(before) },
          now,
        );
        const { organisation } = before;
        if (!("record" in decider)) {
          const { record, document } = before;
          const object = { record, document, request: id };
          addAudit(commit, { organisation, by, action: LOGGED[action], object }, now);
        }
        const alert = { organisation, kind: ACCESS_REQUESTED, problem: id };
        await setAlertState(kv, commit, alert, { state: "done", by, now });
        if (action === "approve") {
          const { token, row } = addLink(commit, decided, "open", now);
          saveRequest(commit, row, now);
          queued = [await mails.addGrant(commit, row, token)];
          if ("record" in decider) {
            const notice = {
              record,
              kind: "access_approved",
              undo: { act: "revoke_access", request: id },
              reader: decider.reader,
              facts: [["Document", formatDocumentId(row.document)], ["For", row.person.email]],
            } as const;
            queued.push(...await notices.add(commit, notice, now));
          }
          return { result: { ok: true, request: row }, commit };
        }
        removeGrant(commit, decided);
        const row = { ...decided, grant: null };
        saveRequest(commit, row, now);
        if (action === "refuse") queued = [await mails.addRefusal(commit, row)];
        return { result: { ok: true, request: row }, commit };
      });
      if (result.ok) mailer.send(queued);
      return result;
    },

    async readLink(token, request) {
      const link = await openLink(token);
      if (link === null) return fail("not_found");
      const { document, id, ends_at } = link.row;
      const grant = await findGrant(kv, clock(), request, document);
      const state = grant?.id === id ? "here" : link.state === "open" ? "open" : "elsewhere";
      return { ok: true, state, document, endsAt: ends_at! };
    },

    useLink: (token, request, reader) =>
      transact<Awaited<ReturnType<Deciding["useLink"]>>>(async () => {
        const now = clock();
        const link = await openLink(token);
        if (link === null) return { result: fail("not_found") };
        if (link.state === "used") return { result: fail("used") };
        const [entry, record] = await Promise.all([
          requests.get(kv, link.row.id),
          readRecord(kv, link.row.record),
        ]);
        const row = entry.value;
        if (record === null || row === null || stateOf(row, now) !== "approved") {
          return { result: fail("not_found") };
        }
        const commit = kv.atomic().check(entry, record.contact);
        useLink(commit, link, now);
        const { grant, cookie } = addGrant(commit, request, row, now);
        saveRequest(commit, { ...row, grant }, now);
        addAccess(
          commit,
          row.record,
          { what: "access_opened", reader, detail: describe(row) },
          now,
        );
        return { result: { ok: true, document: row.document, cookie }, commit };
      }),

    async renewLink(token) {
      const queued = await transact<QueuedMail[]>(async () => {
        const now = clock();
        const link = await openLink(token);
        if (link === null) return { result: [] };
        const [entry, record, slot] = await Promise.all([
          requests.get(kv, link.row.id),
          readRecord(kv, link.row.record),
          readSlot(kv, {
            key: ["access_limits", "link", link.row.id],
            limit: NEW_LINKS_PER_HOUR,
            windowMs: HOUR_MS,
          }, now),
        ]);
        const before = entry.value;
        if (record === null || before === null || stateOf(before, now) !== "approved") {
          return { result: [] };
        }
        if (slot.waitMs > 0) return { result: [] };
        const commit = kv.atomic().check(entry, record.contact);
        slot.take(commit);
        const { token: renewed, row } = addLink(commit, before, "open", now);
        saveRequest(commit, row, now);
        return { result: [await mails.addGrant(commit, row, renewed)], commit };
      });
      mailer.send(queued);
    },
  };
}

const isFor = (row: AccessRequestRow, decider: Decider): boolean =>
  "record" in decider ? row.record === decider.record : row.organisation === decider.organisation;

const TOO_LATE = "This request has already been decided, or it has expired.";
