/** The holder's declaration of what the record is for, which level 2 needs. */
import { z } from "zod";
import { type Declaration, textField } from "../../contact/mod.ts";
import { transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { Level } from "../record/levels.ts";
import type { Undoer } from "../record/record_data.ts";
import type { WithNotices } from "../notices/notices.ts";
import { changeRecord, NOT_IN_FORCE, readRecord, waitsToCorrect } from "../record/store.ts";

/** The length of an intent declaration, in characters. */
export const DECLARATION_LENGTH = { min: 20, max: 2_000 };

/** The maximum number of versions of a declaration that a record keeps. */
const MAX_DECLARATIONS = 50;

/**
 * The space for all versions in a contact, whose value has at most 65,536 bytes. A character takes
 * up to two bytes, and the fields of the form take up to 12,000 characters.
 */
const MAX_DECLARATION_BYTES = 36_000;

const { min, max } = DECLARATION_LENGTH;

/**
 * The form of an intent declaration. `deliberate` is a checkbox, because the declaration must be a
 * separate, deliberate action (standard, "Trust levels").
 */
export const declarationSchema = z.object({
  text: textField(max, true).transform((text, ctx) => {
    if (text !== undefined && text.length >= min) return text;
    ctx.addIssue({ code: "custom", message: `Use at least ${min} characters.` });
    return z.NEVER;
  }),
  deliberate: z.literal(["1", "on", true], "Tick the box to confirm that you mean it."),
});

export type Declared =
  | { ok: true; level: Level; version: number }
  | Failure<"not_found" | "conflict">;

type DeclareOptions = Pick<WithNotices, "kv" | "clock" | "notices" | "mailer">;

/**
 * Stores a declaration. It replaces the previous one; every version is kept.
 *
 * @param text validated with {@link declarationSchema}
 */
export async function declare(
  { kv, clock, notices, mailer }: DeclareOptions,
  hash: string,
  text: string,
  reader: Reader,
): Promise<Declared> {
  return await transactAndMail<Declared>(mailer, async () => {
    const record = await readRecord(kv, hash);
    if (record === null) return { result: fail("not_found") };
    const { contact, row } = record;
    if (row.replaced_by !== null || await waitsToCorrect(kv, record)) {
      return { result: fail("conflict", { message: NOT_IN_FORCE }) };
    }
    const earlier = contact.value.declarations ?? [];
    // A form that is sent twice is one declaration.
    if (earlier.at(-1)?.text === text) {
      return { result: { ok: true as const, level: row.level, version: earlier.length } };
    }
    const now = clock();
    const at = new Date(now).toISOString();
    const declarations = [...earlier, { at, text }];
    if (!declarationsFit(declarations)) return { result: fail("conflict", FULL) };
    const commit = kv.atomic();
    const { level } = changeRecord(commit, record, { change: "declared" }, now);
    commit.set(contact.key, { ...contact.value, declarations });
    const version = declarations.length;
    addAccess(commit, hash, { what: "declared", detail: `version ${version}`, reader }, now);
    const undo = { act: "withdraw_declaration", at } as const;
    const mails = await notices.add(commit, { record, kind: "declared", undo, reader }, now);
    return { result: { ok: true as const, level, version }, commit, mails };
  });
}

/** Undoes a declaration: deletes that version, and computes the level again if it was the only one. */
export const undoDeclaration: Undoer<"withdraw_declaration"> = (commit, { record, undo, now }) => {
  const { contact } = record;
  const before = contact.value.declarations ?? [];
  const declarations = before.filter(({ at }) => at !== undo.at);
  if (declarations.length === before.length) return Promise.resolve(false);
  if (declarations.length === 0) changeRecord(commit, record, { change: "undeclared" }, now);
  commit.check(contact).set(contact.key, { ...contact.value, declarations });
  return Promise.resolve(true);
};

const FULL = {
  message: "We keep every version of a declaration, and there is no space for another one. " +
    "Write to us if you need to replace it.",
};

/** Returns whether a contact has space for these versions. */
export const declarationsFit = (declarations: Declaration[]): boolean =>
  declarations.length <= MAX_DECLARATIONS &&
  declarations.reduce((sum, { text }) => sum + 2 * text.length + 60, 0) <= MAX_DECLARATION_BYTES;
