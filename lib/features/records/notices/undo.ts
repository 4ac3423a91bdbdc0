import { z } from "zod";
import type { ContactIndex } from "../../contact/mod.ts";
import {
  apart,
  createSingleUseTokens,
  defineTable,
  expires,
  independent,
  isoAfter,
  TOKEN,
  type TokenRow,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { type Mailer, type QueuedMail, transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { DAY_MS, inDays } from "../../../base/time.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import {
  type NoticeKind,
  noticeKind,
  type Undo,
  undoAction,
  type Undoer,
  type Undoers,
} from "../record/record_data.ts";
import { addSignOut } from "../sessions/sign_outs.ts";
import { changeRecord, readCurrentRecord, readRecord, type RecordEntry } from "../record/store.ts";

/** How long the link that undoes an event is valid. */
export const UNDO_LIFETIME_MS = 7 * DAY_MS;

/** The link of a security notice, with the event that it undoes. */
const undoLink = z.strictObject({
  hash: z.string(),
  kind: noticeKind,
  undo: undoAction,
  /** When the event happened, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  ...TOKEN,
});

type UndoData = Omit<z.infer<typeof undoLink>, keyof TokenRow>;

const BY_RECORD = "record_undos_by_record";

export const undoLinks = defineTable({
  prefix: "record_undos",
  value: undoLink,
  key: ["token"],
  indexes: { [BY_RECORD]: ["hash"] },
  owner: { record: "hash" },
  lifetime: expires(inDays(UNDO_LIFETIME_MS)),
  per: "security notice",
  privacy: {
    section: "record",
    label: "Security notices",
    text: "A fingerprint (SHA-256) of the link in each notice, the record and the event that it " +
      `undoes, for ${
        inDays(UNDO_LIFETIME_MS)
      }. The mail itself is stored, encrypted, until it is ` +
      "sent. With the record, we store when the last notices of downloads were mailed, and, until " +
      "every browser is signed out, when that was asked for.",
  },
});

const links = createSingleUseTokens<UndoData>({
  prefix: undoLinks.prefix,
  indexRows: undoLinks.indexRows,
  lifetimeMs: UNDO_LIFETIME_MS,
});

/**
 * Adds a link that undoes an event to the commit of the event.
 *
 * @returns the token of the link
 */
export function addUndo(
  commit: Deno.AtomicOperation,
  data: Omit<UndoData, "at">,
  now: number,
): string {
  return links.create(commit, { ...data, at: isoAfter(now, 0) }, now).token;
}

/** Adds the deletion of the links that undo an event which was itself undone before its mail was sent. */
export async function removeUndos(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  hash: string,
  isUndone: (undo: Undo) => boolean,
): Promise<void> {
  const found = await undoLinks.find(kv, BY_RECORD, [hash]);
  unchecked("A link that is used meanwhile changes what the commit changes, too.", ...found);
  for (const { value } of found) {
    if (isUndone(value.undo)) undoLinks.delete(commit, value);
  }
}

/** A link that was opened: what it undoes, and whether it was used. */
export type OpenedUndo =
  | { ok: true; state: "open" | "used"; kind: NoticeKind; at: string; hash: string }
  | Failure<"not_found" | "expired">;

/** Reads a link without changing anything, because mail scanners open links too. */
export async function readUndo(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  token: string,
): Promise<OpenedUndo> {
  const { state, entry } = await links.find(kv, token, clock());
  if (state === "unknown") return fail("not_found");
  if (state === "expired") return fail("expired");
  const { kind, at, hash } = entry.value;
  return { ok: true, state, kind, at, hash };
}

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
    const { state, entry } = await links.find(kv, token, now);
    if (state === "unknown") return { result: fail("not_found") };
    if (state !== "open") {
      return { result: fail(state === "used" ? "already_used" : "expired") };
    }
    const { kind, undo } = entry.value;
    const read = undo.act === "cancel_correction" ? readRecord : readCurrentRecord;
    const record = await read(kv, entry.value.hash);
    if (record === null) return { result: fail("not_found") };
    await apart("A move has commits of its own.", () => beforeUndo(record.hash));
    // Checked also if nothing is undone: a correction may have just started another move.
    const commit = kv.atomic().check(record.contact, record.entry);
    const undoer = undoerOf(undoers, undo.act);
    const mails: QueuedMail[] = [];
    const undone = await undoer(commit, { record, undo, mails, now });
    if (!undone) independent("The link is used up, although there is nothing to undo.");
    links.use(commit, entry, now);
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
