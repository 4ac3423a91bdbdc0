/** The rows of the audit log in the store, and the function that adds an entry. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isoAfter } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, inYears } from "../../base/time.ts";
import { AUDIT_ACTIONS, type AuditAction } from "./actions.ts";

const auditObject = z.strictObject({
  /** The hash of a record. */
  record: z.string().optional(),
  /** The id of a document. */
  document: z.string().optional(),
  /** The id of an access request. */
  request: z.string().optional(),
  /** The id of an organisation that issues documents. */
  issuer: z.string().optional(),
  /** The id of a bank account. */
  account: z.string().optional(),
  /** The id of a user. */
  user: z.number().optional(),
  /** The email address of another operator, or of a person who is invited to be one. */
  operator: z.string().optional(),
});

/** An entry of the audit log. It is never changed. */
const auditEntry = z.strictObject({
  id: z.string(),
  at: z.iso.datetime(),
  /** The email address of the operator. */
  by: z.string(),
  action: z.literal(Object.keys(AUDIT_ACTIONS) as AuditAction[]),
  object: auditObject,
  /** Never free text or personal data, because entries outlive the objects of their actions. */
  detail: z.string().nullable(),
  ...EXPIRING,
});

export type AuditEntry = z.infer<typeof auditEntry>;
export type AuditObject = AuditEntry["object"];

/** An entry to add, without its time. */
export interface NewAuditEntry {
  organisation: OrganisationKey;
  by: string;
  action: AuditAction;
  object?: AuditObject;
  detail?: string | null;
}

/** How long an audit entry is kept, in milliseconds. */
export const AUDIT_LIFETIME_MS = 365 * DAY_MS;
const AUDIT_LIFETIME_TEXT = inYears(AUDIT_LIFETIME_MS);

export const BY_ACTION = "audit_by_action";
/** The entries of each operator, of every action (an empty text) and of each one. */
export const BY_PERSON = "audit_by_person";
/** The operators of each organisation that have entries. */
const PEOPLE = "audit_people";

/** The actions of operators in the consoles. */
export const auditLog = defineTable({
  prefix: "audit",
  value: auditEntry,
  key: ["organisation", "at", "id"],
  indexes: {
    [BY_ACTION]: ["action"],
    [BY_PERSON]: {
      keysOf: ({ by, action }: AuditEntry, key: Deno.KvKey) =>
        ["", action].map((each) => [by, each, ...key]),
      value: () => null,
    },
    [PEOPLE]: {
      keysOf: ({ by }: AuditEntry, [organisation]: Deno.KvKey) => [[organisation, by]],
      value: () => null,
    },
  },
  owner: "organisation",
  lifetime: expires(AUDIT_LIFETIME_TEXT),
  per: "action of an operator",
  privacy: {
    section: "consoles",
    label: "Audit log",
    text: "For administrators and board members: your email address with the time of each " +
      "sign-in to a console, and of each change that you make there, such as an identity check, " +
      "a new document, a decision on a request, a refresh of our bank’s figures or the deletion " +
      "of an account. An entry names the record, document, request or account by its number, " +
      "without names or addresses, and another operator by the email address. " +
      `We keep it for ${AUDIT_LIFETIME_TEXT}, and only administrators of ` +
      "the same organisation can see it.",
  },
});

/** Returns the email addresses of all operators of an organisation that have entries. */
export const readPeople = (kv: Deno.Kv, organisation: OrganisationKey): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [PEOPLE, organisation] }), ({ key }) => String(key[2]));

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
  const at = new Date(now).toISOString();
  const id = crypto.randomUUID();
  const expires_at = isoAfter(now, AUDIT_LIFETIME_MS);
  const entry: AuditEntry = { id, at, by, action, object, detail, expires_at };
  auditLog.put(commit, [organisation, at, id], entry, now);
}
