/** The forms on the page of an enquiry that change its owner, notes or state. */
import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { fail, type Failure } from "../../base/result.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { addAudit, type AuditAction } from "../audit/mod.ts";
import { nonEmptyText } from "../contact/mod.ts";
import { addEntry, type Enquiry, MOST_ENTRIES, type NewEntry, readEnquiry } from "./enquiry.ts";
import type { EnquiryChange } from "./states.ts";
import { entries } from "./store.ts";

export const NOTE_LIMIT = 5_000;

/** The number of entries that the page showed, by which a form detects what others did since. */
export const revisionField = z.coerce.number().int().min(0);

/** The number that a form generates, so that sending it twice adds one entry. */
export const formKey = z.uuid("Reload the page, then send the form again.");

/** The forms on the page of an enquiry, except the one for replies. */
export const inboxActionSchema = z.discriminatedUnion("act", [
  z.object({
    act: z.literal("assign"),
    /** The address of an operator; empty for nobody. */
    owner: z.union([z.literal("").transform(() => null), emailSchema()]),
    revision: revisionField,
  }),
  z.object({
    act: z.literal("note"),
    text: nonEmptyText(NOTE_LIMIT, "Write a note.", true),
    key: formKey,
  }),
  z.object({ act: z.enum(["close", "reopen"]), revision: revisionField }),
  /** Takes back the operator's own reply, whose form generated the key, before it is sent. */
  z.object({ act: z.literal("unsend"), key: formKey }),
]);

export type InboxAction = z.infer<typeof inboxActionSchema>;
/** The forms that change the state, the owner or the notes. */
export type PlainAction = Exclude<InboxAction, { act: "unsend" }>;

/** The operator who acts on an enquiry. */
export interface Actor {
  organisation: OrganisationKey;
  hash: string;
  /** The operator's address. */
  by: string;
}

export type Acted = { ok: true } | Failure<"not_found" | "conflict" | "invalid_request">;

const AUDITED: Record<Exclude<EnquiryChange, "not_delivered">, AuditAction> = {
  taken: "enquiry_taken",
  released: "enquiry_released",
  noted: "enquiry_noted",
  replied: "enquiry_replied",
  unsent: "enquiry_reply_undone",
  closed: "enquiry_closed",
  reopened: "enquiry_reopened",
};

/** Adds the audit log's entry for a change by an operator. */
export function auditChange(
  commit: Deno.AtomicOperation,
  { organisation, hash, by }: Actor,
  change: keyof typeof AUDITED,
  now: number,
): void {
  addAudit(commit, { organisation, by, action: AUDITED[change], object: { record: hash } }, now);
}

/**
 * Does what a form on the page of an enquiry asks for. A form that asks for what is already so changes
 * nothing. Otherwise, it is refused if somebody else did something since its page was loaded, except
 * for notes, which stand beside each other.
 *
 * @param isOperator returns whether an address is that of an operator who can own the enquiry
 */
export function actOnEnquiry(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  actor: Actor,
  form: PlainAction,
  isOperator: (email: string) => boolean,
): Promise<Acted> {
  return transact<Acted>(async () => {
    const enquiry = await readEnquiry(kv, actor.organisation, actor.hash);
    if (enquiry === null) return { result: fail("not_found") };
    const id = form.act === "note" ? form.key : crypto.randomUUID();
    const wanted = entryOf(enquiry, form, { id, by: actor.by });
    if (wanted === null) return { result: { ok: true } };
    const { added, owner } = wanted;
    const existing = await entries.get(kv, actor.hash, id);
    if (existing.value !== null) return { result: { ok: true } };
    const refusal = refusalOf(enquiry, form, isOperator);
    if (refusal !== null) return { result: refusal };
    const commit = kv.atomic().check(existing);
    const now = clock();
    addEntry(commit, enquiry, added, { owner, now });
    auditChange(commit, actor, added.change, now);
    return { result: { ok: true }, commit };
  });
}

/** An action of an operator, not of the site. */
type OperatorEntry = Exclude<NewEntry, { change: "not_delivered" }>;

/** Returns the entry that a form adds, and the owner afterwards; null if it changes nothing. */
function entryOf(
  { row }: Enquiry,
  form: PlainAction,
  who: { id: string; by: string },
): { added: OperatorEntry; owner?: string | null } | null {
  switch (form.act) {
    case "note":
      return { added: { ...who, change: "noted", text: form.text } };
    case "assign": {
      const { owner } = form;
      if (owner === row.owner) return null;
      return owner === null
        ? { added: { ...who, change: "released" }, owner }
        : { added: { ...who, change: "taken", owner }, owner };
    }
    case "close":
      return row.state === "closed" ? null : { added: { ...who, change: "closed" } };
    case "reopen":
      return row.state === "closed" || row.state === "answered"
        ? { added: { ...who, change: "reopened" } }
        : null;
  }
}

function refusalOf(
  { record, row }: Enquiry,
  form: PlainAction,
  isOperator: (email: string) => boolean,
): Failure<"conflict" | "invalid_request"> | null {
  if (record.row.replaced_by !== null) return fail("conflict", { message: CORRECTED });
  if (form.act === "assign" && form.owner !== null && !isOperator(form.owner)) {
    const issues = { owner: "Choose an administrator of this console." };
    return fail("invalid_request", { message: issues.owner, issues });
  }
  if ("revision" in form && form.revision !== row.revision) {
    return fail("conflict", { message: CHANGED });
  }
  return row.revision >= MOST_ENTRIES && form.act !== "close"
    ? fail("conflict", { message: FULL })
    : null;
}

export const CORRECTED =
  "The holder has corrected this record in the meantime. Read the corrected one, then try again.";
export const CHANGED =
  "Somebody did something else with this enquiry in the meantime. See the history, then try again.";
export const FULL = `This enquiry has ${MOST_ENTRIES} entries, so it can only be closed.`;
