import { HONEYPOT } from "./choices.ts";

/** The fields of the page's form as it is posted without scripts, as they came. */
export type FormFields = Record<string, string>;

/**
 * The form's fields as the endpoint's JSON has them.
 *
 * @param now milliseconds since 1970; the form says when it was rendered, not for how long it was
 * open, and where it does not say so, it was open for no time
 */
export function bodyOfForm(fields: FormFields, now: number): Record<string, unknown> {
  const { name, organisation, email, enquiry_type, message, challenge } = fields;
  const renderedAt = Date.parse(fields.rendered_at?.slice(0, 30) ?? "");
  return {
    name,
    organisation,
    email,
    mobile: { country: fields.mobile_country, number: fields.mobile_number },
    enquiry_type,
    message,
    challenge,
    elapsed_ms: Number.isNaN(renderedAt) ? 0 : now - renderedAt,
    [HONEYPOT]: fields[HONEYPOT],
  };
}
