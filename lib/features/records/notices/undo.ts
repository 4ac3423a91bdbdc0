/** Using the link of a security notice: it undoes the event, and ends every session of the record. */
import type { ContactIndex } from "../../contact/mod.ts";
import { apart, independent } from "../../../platform/kv/mod.ts";
import { type Mailer, type QueuedMail, transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { NoticeKind, Undo, Undoer, Undoers } from "../record/record_data.ts";
import { changeRecord, readCurrentRecord, readRecord, type RecordEntry } from "../record/store.ts";
import { addSignOut } from "../sessions/sign_outs.ts";
import { undoTokens } from "./undo_links.ts";

/** The result of using a link. `undone` is false if there was nothing left to undo. */
export type UndoResult =
  | { ok: true; undone: boolean; kind: NoticeKind; hash: string }
  | Failure<"not_found" | "expired" | "already_used">;

export interface UndoOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** The functions that undo events; the first one for an action is used. */
  undoers: readonly Undoers[];
  /** Finishes the moves of a record and of those before it, so that the undoer finds what it undoes. */
  beforeUndo(hash: string): Promise<void>;
  /** Finishes what the commit has started, and ends the sessions. */
  afterUndo(hash: string): Promise<void>;
  mailer: Mailer;
}

/**
 * Undoes an event: uses the link, undoes the event and logs it in one commit, and ends every session
 * of the record, because the person who caused the event may still be signed in.
 */
export async function useUndo(
  { kv, clock, undoers, beforeUndo, afterUndo, mailer }: UndoOptions,
  token: string,
  reader: Reader,
): Promise<UndoResult> {
  const result = await transactAndMail<UndoResult>(mailer, async () => {
    const now = clock();
    const { state, entry } = await undoTokens.find(kv, token, now);
    if (state === "unknown") return { result: fail("not_found") };
    if (state !== "open") {
      return { result: fail(state === "used" ? "already_used" : "expired") };
    }
    const { kind, undo } = entry.value;
    const read = undo.act === "cancel_correction" ? readRecord : readCurrentRecord;
    const record = await read(kv, entry.value.hash);
    if (record === null) return { result: fail("not_found") };
    await apart("A move has commits of its own.", () => beforeUndo(record.hash));
    // Checked even if nothing is undone: a correction may have just started another move.
    const commit = kv.atomic().check(record.contact, record.entry);
    const undoer = undoerOf(undoers, undo.act);
    const mails: QueuedMail[] = [];
    const undone = await undoer(commit, { record, undo, mails, now });
    if (!undone) independent("The link is used up, although there is nothing to undo.");
    undoTokens.use(commit, entry, now);
    addSignOut(commit, record.hash, now);
    addAccess(
      commit,
      record.hash,
      { what: "undone", detail: kind, reader },
      now,
    );
    return { result: { ok: true as const, undone, kind, hash: record.hash }, commit, mails };
  });
  if (result.ok) await afterUndo(result.hash);
  return result;
}

function undoerOf(undoers: readonly Undoers[], action: Undo["act"]): Undoer<Undo["act"]> {
  const undoer = undoers.find((each) => each[action] !== undefined)?.[action];
  if (undoer === undefined) throw new Error(`Nothing undoes ${action}.`);
  return undoer as Undoer<Undo["act"]>;
}

/** Undoes the events of records themselves. */
export function ownUndoers({ index }: { index: ContactIndex }): Undoers {
  const unconfirm = async (
    commit: Deno.AtomicOperation,
    { record, now }: { record: RecordEntry; now: number },
  ) => {
    const { hash, row, contact } = record;
    const { mobile } = contact.value.record;
    if (row.mobile_confirmed_at === null || mobile === undefined) return false;
    changeRecord(commit, record, { change: "mobile_unconfirmed" }, now);
    await index.remove(commit, "mobile", mobile, hash);
    return true;
  };
  return {
    // All sessions are ended anyway. The number must also lose its confirmation: otherwise the person
    // who read the code could sign in with the next one.
    end_session: unconfirm,
    // Every link ends all sessions.
    sign_out: () => Promise.resolve(true),
  };
}
