import { CONFIG } from "../../lib/contact/config.ts";
import type { Registration } from "../../lib/contact/contract.ts";

/** What is typed so far; each name is its field's. */
export interface Draft {
  name: string;
  organisation: string;
  email: string;
  mobile_country: string;
  mobile_number: string;
  enquiry_type: string;
  message: string;
  /** The honeypot's. */
  trap: string;
}

/** What something may be wrong with, in the form's order. */
export const FIELDS = [
  "name",
  "organisation",
  "email",
  "mobile",
  "enquiry_type",
  "message",
  "challenge",
] as const;
export type FieldName = (typeof FIELDS)[number];
export type Issues = Partial<Record<FieldName, string>>;

const { COPY, FIELD_LIMITS } = CONFIG;

export const emptyDraft = (): Draft => ({
  name: "",
  organisation: "",
  email: "",
  mobile_country: CONFIG.DIAL_CODES[0].country,
  mobile_number: "",
  enquiry_type: "",
  message: "",
  trap: "",
});

/** Digits and what is written between them, as Japanese keyboards have them too. */
const PHONE = /^[+＋]?[\p{Nd}\p{Pd}\s()（）./ー]{4,}$/u;

/** What can be told without asking the server, whose word holds. */
export function check(draft: Draft): Issues {
  const issues: Issues = {};
  const typed = trimmed(draft);
  if (typed.name === "") issues.name = COPY.PROBLEMS.name;
  if (typed.email === "") issues.email = COPY.PROBLEMS.email;
  else if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.email)) issues.email = COPY.PROBLEMS.email_form;
  if (typed.mobile_number !== "" && !PHONE.test(typed.mobile_number)) {
    issues.mobile = COPY.PROBLEMS.mobile;
  }
  if (typed.enquiry_type === "") issues.enquiry_type = COPY.PROBLEMS.enquiry_type;
  for (const [field, limit] of Object.entries(FIELD_LIMITS)) {
    const text = typed[field === "mobile" ? "mobile_number" : field as keyof Draft];
    if (text.length > limit) issues[field as FieldName] = COPY.PROBLEMS.too_long;
  }
  return issues;
}

/** The server's issues by the form's fields: `mobile.number` belongs to `mobile`. */
export function issuesOf(answered: Record<string, string>): Issues {
  const issues: Issues = {};
  for (const [path, text] of Object.entries(answered)) {
    const field = FIELDS.find((name) =>
      path === name || /^[._]/.test(path.slice(name.length)) && path.startsWith(name)
    );
    if (field !== undefined) issues[field] ??= text;
  }
  return issues;
}

/** The issues of fields that still are as they were. */
export function unchanged(issues: Issues, before: Draft, now: Draft): Issues {
  const isSame = (name: string) =>
    Object.keys(now).filter((key) => key.startsWith(name)).every((key) =>
      before[key as keyof Draft] === now[key as keyof Draft]
    );
  return Object.fromEntries(Object.entries(issues).filter(([name]) => isSame(name)));
}

/** The body of `POST /api/ir/register`; what is left empty is left out. */
export function bodyOf(
  draft: Draft,
  sent: { elapsed_ms: number; challenge?: string },
): Registration {
  const typed = trimmed(draft);
  return {
    name: typed.name,
    email: typed.email,
    enquiry_type: typed.enquiry_type as Registration["enquiry_type"],
    ...typed.organisation && { organisation: typed.organisation },
    ...typed.mobile_number && {
      mobile: { country: typed.mobile_country, number: typed.mobile_number },
    },
    ...typed.message && { message: typed.message },
    ...sent,
    ...typed.trap && { [CONFIG.HONEYPOT]: typed.trap },
  };
}

function trimmed(draft: Draft): Draft {
  const entries = Object.entries(draft).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(entries);
}
