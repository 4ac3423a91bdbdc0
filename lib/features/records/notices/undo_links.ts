/** The links of security notices: their rows, and what is read without using them. */
import { z } from "zod";
import {
  createSingleUseTokens,
  defineTable,
  expires,
  isoAfter,
  TOKEN,
  type TokenRow,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { inDays } from "../../../base/time.ts";
import { type NoticeKind, noticeKind, type Undo, undoAction } from "../record/record_data.ts";
import { UNDO_LIFETIME_MS } from "./delays.ts";

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
      }. The email itself is stored, encrypted, until it is ` +
      "sent. With the record, we store when the last notices of downloads were emailed, and, until " +
      "every browser is signed out, when that was asked for.",
  },
});

export const undoTokens = createSingleUseTokens<UndoData>({
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
  return undoTokens.create(commit, { ...data, at: isoAfter(now, 0) }, now).token;
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
  const { state, entry } = await undoTokens.find(kv, token, clock());
  if (state === "unknown") return fail("not_found");
  if (state === "expired") return fail("expired");
  const { kind, at, hash } = entry.value;
  return { ok: true, state, kind, at, hash };
}
