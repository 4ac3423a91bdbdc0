/**
 * The decisions on requests: a holder or an administrator approves, refuses or revokes.
 *
 * @module
 */
import { addAudit } from "../../audit/mod.ts";
import { type Alert, setAlertState } from "../../alerts/mod.ts";
import { independent, isoAfter, transact, unchecked } from "../../../platform/kv/mod.ts";
import { heldOf } from "../../../platform/jobs/mod.ts";
import type { QueuedMail } from "../../../platform/mail/mod.ts";
import {
  addAccess,
  ADMINISTRATOR,
  type Reader,
  readRecord,
  type RecordEntry,
} from "../../records/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { createAccessMails } from "./mails.ts";
import {
  type AccessRequestRow,
  afterAction,
  canBeUndone,
  describe,
  HOLD_MS,
  type RequestAction,
  requests,
  saveRequest,
} from "./requests.ts";
import { formatDocumentId } from "../ids.ts";
import { addPersonalLink, endPersonalLink } from "./personal_links.ts";
import { ACCESS_REQUESTED, type AccessOptions } from "./ask.ts";
import { documents, endOf } from "../store.ts";
import { recallDecision, undoDecision } from "./undo.ts";

/** The person who decides: the holder of a record, or an administrator of an organisation. */
export type Decider =
  | { record: string; reader: Reader }
  | { organisation: OrganisationKey; email: string };

export interface Decision {
  /** The id of the request. */
  id: string;
  /** `undo`: takes back an approval or a refusal whose mail was not sent yet. */
  act: Exclude<RequestAction, "confirm"> | "undo";
  /** Mailed to the person who asked. */
  reason?: string;
  decider: Decider;
}

export type Decided =
  | { ok: true; request: AccessRequestRow }
  | Failure<"not_found" | "conflict">;

export interface Deciding {
  /**
   * Approves, refuses or revokes a request, or undoes an approval or refusal. Mails about a decision
   * wait for {@link HOLD_MS}. Repeating a decision or its undoing changes nothing. Fails with
   * `conflict` if it is not possible now.
   */
  decide(decision: Decision): Promise<Decided>;
}

const LOGGED = {
  approve: "access_approved",
  refuse: "access_refused",
  revoke: "access_revoked",
  undo: "access_undone",
} as const;

const STATES = { approve: "approved", refuse: "refused", revoke: "revoked", undo: "open" } as const;

export function createDeciding(options: AccessOptions): Deciding {
  const { kv, clock, mailer } = options;
  const addDecision = createAddDecision(options);

  return {
    decide: ({ id, act, reason = null, decider }) =>
      transact<Decided>(async () => {
        const now = clock();
        const entry = await requests.get(kv, id);
        const before = entry.value;
        // Nobody may see an unconfirmed request.
        if (before === null || before.confirmed_at === null || !isFor(before, decider)) {
          return { result: fail("not_found") };
        }
        const record = await readRecord(kv, before.record);
        if (record === null) return { result: fail("not_found") }; // it is being deleted
        if (act === "approve" && record.row.deletion_at) {
          return { result: fail("conflict", { message: "This record will be deleted." }) };
        }
        const by = "record" in decider ? "holder" : decider.email;
        if (isRepeated(before, act, by, now)) return { result: { ok: true, request: before } };
        const document = await documents.get(kv, before.document);
        const end = endOf(document.value, now);
        if (end?.as === "withdrawn" && (act === "approve" || act === "refuse")) {
          return { result: fail("conflict", { message: WITHDRAWN }) };
        }
        if (end?.as === "expired" && act === "approve") {
          return { result: fail("conflict", { message: EXPIRED }) };
        }
        if (act !== "approve") unchecked("Only that the record exists matters.", record.entry);
        const commit = kv.atomic().check(entry, record.contact, document);
        if (act === "approve") commit.check(record.entry);
        const { organisation } = before;
        let request: AccessRequestRow | null;
        if (act === "undo") {
          request = await undoDecision({ kv, mailer }, commit, before, { by, now });
          if (request === null) {
            // Checked, because the mail may be gone as somebody else has just undone the decision.
            independent("Nothing changes, whatever else the decision depends on.");
            const unchanged = kv.atomic().check(entry);
            return { result: fail("conflict", { message: TOO_LATE_TO_UNDO }), commit: unchanged };
          }
        } else {
          const after = afterAction(before, act, now);
          if (after === null) return { result: fail("conflict", { message: TOO_LATE }) };
          const decided: AccessRequestRow = {
            ...after,
            decided_at: new Date(now).toISOString(),
            decided_by: by,
            decision_reason: act === "revoke" ? before.decision_reason : reason,
          };
          const problem = { organisation, kind: ACCESS_REQUESTED, problem: id };
          const alert = await setAlertState(kv, commit, problem, { state: "done", by, now });
          const decision = { before, after: decided, act, alert, record, decider };
          request = await addDecision(commit, decision, now);
        }
        saveRequest(commit, request, now);
        const reader = "record" in decider ? decider.reader : ADMINISTRATOR;
        const detail = describe(before);
        addAccess(commit, before.record, { what: LOGGED[act], reader, detail }, now);
        if (!("record" in decider)) {
          const object = { record: before.record, document: before.document, request: id };
          addAudit(commit, { organisation, by, action: LOGGED[act], object }, now);
        }
        return { result: { ok: true, request }, commit };
      }),
  };
}

/**
 * Returns the function that adds a decision to a commit, with its mails, and returns the request,
 * which the caller saves.
 */
function createAddDecision(options: AccessOptions) {
  const { notices } = options;
  const mails = createAccessMails(options);

  async function addApproval(
    commit: Deno.AtomicOperation,
    row: AccessRequestRow,
    { token, record, decider }: { token: string; record: RecordEntry; decider: Decider },
    now: number,
  ): Promise<QueuedMail[]> {
    const mail = await mails.addGrant(commit, row, token, HOLD_MS);
    if (!("record" in decider)) return [mail];
    const notice = {
      record,
      kind: "access_approved",
      undo: { act: "revoke_access", request: row.id },
      reader: decider.reader,
      facts: [["Document", formatDocumentId(row.document)], ["For", row.person.email]],
      holdMs: HOLD_MS,
    } as const;
    return [mail, ...await notices.add(commit, notice, now)];
  }

  return async (
    commit: Deno.AtomicOperation,
    { before, after, act, alert, ...by }: {
      before: AccessRequestRow;
      after: AccessRequestRow;
      act: "approve" | "refuse" | "revoke";
      alert: Alert | null;
      record: RecordEntry;
      decider: Decider;
    },
    now: number,
  ): Promise<AccessRequestRow> => {
    if (act === "revoke") {
      await recallDecision(options, commit, before);
      await endPersonalLink(options.kv, commit, after, now);
      return { ...after, share: null };
    }
    const { token, row } = act === "approve"
      ? await addPersonalLink(options.kv, commit, after, now)
      : { token: "", row: after };
    const queued = act === "approve"
      ? await addApproval(commit, row, { token, ...by }, now)
      : [await mails.addRefusal(commit, row, HOLD_MS)];
    const held = {
      until: isoAfter(now, HOLD_MS),
      mails: queued.map(heldOf),
      ends_at: before.ends_at,
      expires_at: before.expires_at,
      alert: alert && {
        at: alert.at,
        id: alert.id,
        state: alert.state,
        by: alert.by,
        changed_at: alert.changed_at,
      },
    };
    return { ...row, held };
  };
}

const isFor = (row: AccessRequestRow, decider: Decider): boolean =>
  "record" in decider ? row.record === decider.record : row.organisation === decider.organisation;

/** Returns whether a form was sent twice. */
const isRepeated = (
  row: AccessRequestRow,
  act: Decision["act"],
  by: string,
  now: number,
): boolean =>
  row.state === STATES[act] &&
  (act === "undo" || canBeUndone(row, now) && row.decided_by === by);

const WITHDRAWN = "The document was withdrawn, which closed this request.";
const EXPIRED = "The document has expired, so a reader could not open it.";
const TOO_LATE = "This request has already been decided, or it has expired.";
const TOO_LATE_TO_UNDO = "It is too late to undo this decision: its email has been sent.";
