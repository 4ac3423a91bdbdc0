/**
 * The fields of the contact form (spec 2.8) and everything that depends only on one field. The
 * schema, both views of the form, the draft, the form-post parser, the mails, the privacy page, the
 * console and its CSV export read this table, so adding a field means adding one row, and running
 * `deno task api:types`, which writes the types of the samples again.
 *
 * The browser loads this file, so it must not import anything.
 *
 * @module
 */

export const ENQUIRY_TYPES = ["Investor", "Enterprise Partner", "Technical", "Other"] as const;

/** The dial codes, starting with the default. `country` is ISO 3166-1 alpha-2. */
export const DIAL_CODES = [
  { country: "AU", name: "Australia", code: "+61" },
  { country: "CA", name: "Canada", code: "+1" },
  { country: "CN", name: "China", code: "+86" },
  { country: "FR", name: "France", code: "+33" },
  { country: "DE", name: "Germany", code: "+49" },
  { country: "HK", name: "Hong Kong", code: "+852" },
  { country: "IN", name: "India", code: "+91" },
  { country: "ID", name: "Indonesia", code: "+62" },
  { country: "IE", name: "Ireland", code: "+353" },
  { country: "JP", name: "Japan", code: "+81" },
  { country: "MY", name: "Malaysia", code: "+60" },
  { country: "NZ", name: "New Zealand", code: "+64" },
  { country: "PH", name: "Philippines", code: "+63" },
  { country: "SG", name: "Singapore", code: "+65" },
  { country: "KR", name: "South Korea", code: "+82" },
  { country: "AE", name: "United Arab Emirates", code: "+971" },
  { country: "GB", name: "United Kingdom", code: "+44" },
  { country: "US", name: "United States", code: "+1" },
] as const;

interface FieldBase {
  name: string;
  label: string;
  /** Its name on the privacy page. Defaults to the label in lower case. */
  privacyLabel?: string;
  /** The message if the field is left empty. Fields without one are optional. */
  missing?: string;
  autocomplete: string;
  /** True if it shares a line with the `half` field before or after it, if there is room. */
  half?: true;
}

/** One row of the table. `limit` is the maximum number of characters. */
export type ContactField =
  & FieldBase
  & (
    | { kind: "line"; limit: number }
    | { kind: "text"; limit: number }
    /** `invalid` is the browser's message; `masked` fields appear on the receipt, masked. */
    | { kind: "email"; limit: number; invalid: string; masked?: true }
    /** A phone number with its dial code: two controls, `<name>_country` and `<name>_number`. */
    | { kind: "mobile"; limit: number; invalid: string; masked?: true }
    | { kind: "choice"; choices: readonly string[] }
  );

export const CONTACT_FIELDS = [
  {
    name: "name",
    label: "Name",
    kind: "line",
    limit: 200,
    missing: "Enter your name.",
    autocomplete: "name",
    half: true,
  },
  {
    name: "organisation",
    label: "Organisation",
    kind: "line",
    limit: 200,
    autocomplete: "organization",
    half: true,
  },
  {
    name: "email",
    label: "Email",
    privacyLabel: "email address",
    kind: "email",
    limit: 254,
    missing: "Enter your email address.",
    invalid: "Enter an email address such as name@example.org.",
    autocomplete: "email",
    half: true,
    masked: true,
  },
  {
    name: "mobile",
    label: "Mobile",
    privacyLabel: "mobile number",
    kind: "mobile",
    limit: 40,
    invalid: "Enter a phone number in digits, or leave it empty.",
    autocomplete: "tel-national",
    half: true,
    masked: true,
  },
  {
    name: "enquiry_type",
    label: "Enquiry type",
    kind: "choice",
    choices: ENQUIRY_TYPES,
    autocomplete: "off",
  },
  { name: "message", label: "Message", kind: "text", limit: 5_000, autocomplete: "off" },
] as const satisfies readonly ContactField[];

type Row = typeof CONTACT_FIELDS[number];
type RequiredRow = Extract<Row, { missing: string }>;
type ValueOf<R extends Row> = R extends { choices: readonly (infer Choice)[] } ? Choice : string;

export type FieldName = Row["name"];

/**
 * The fields of an enquiry, validated and normalised: the email address by `normaliseEmail`, the
 * mobile number to E.164. This object is the record that is hashed (standard, "Records and their
 * hash"). Fields that were left empty are absent.
 */
export type Enquiry =
  & { [R in RequiredRow as R["name"]]: ValueOf<R> }
  & { [R in Exclude<Row, RequiredRow> as R["name"]]?: ValueOf<R> };

type ControlName = Row extends infer R
  ? R extends { kind: "mobile"; name: infer N extends string } ? `${N}_country` | `${N}_number`
  : R extends { name: infer N } ? N
  : never
  : never;

/**
 * The honeypot field, which people never see but programs that fill in every field do fill in. Its
 * name should look like that of a real field.
 */
export const HONEYPOT = "fax_extension";

/** Submissions faster than this are treated as bots. */
export const MIN_ELAPSED_MS = 2_000;

export const privacyLabelOf = ({ privacyLabel, label }: ContactField): string =>
  privacyLabel ?? label.toLowerCase();

export const MASKED_FIELDS = CONTACT_FIELDS.filter((field) => "masked" in field);

export type FormValues = Partial<Record<ControlName | typeof HONEYPOT, string>>;

/** Returns the names of a field's controls. The last one contains what the user types. */
export const controlsOf = ({ kind, name }: ContactField): ControlName[] =>
  (kind === "mobile" ? [`${name}_country`, `${name}_number`] : [name]) as ControlName[];

export const mainControlOf = (field: ContactField): ControlName => controlsOf(field).at(-1)!;

/**
 * Converts the values of the form's controls to the body of `POST /api/ir/register`. Omits empty
 * fields.
 */
export function bodyOfControls(values: FormValues): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of CONTACT_FIELDS) {
    const typed = values[mainControlOf(field)]?.trim();
    if (!typed) continue;
    body[field.name] = field.kind === "mobile"
      ? { country: values[controlsOf(field)[0]], number: typed }
      : typed;
  }
  if (values[HONEYPOT]?.trim()) body[HONEYPOT] = values[HONEYPOT];
  return body;
}
