/**
 * Our own messages for values that do not match a schema. They are the default wherever input is checked. Messages of a
 * schema's own come first.
 *
 * @module
 */
import type { z } from "zod";

const TYPES: Record<string, string> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

const FORMATS: Record<string, string> = {
  datetime: "a time in UTC, such as 2026-11-20T09:30:00Z",
  email: "an email address",
  url: "an address such as https://example.org/",
};

const UNITS: Record<string, string> = { string: " characters", array: " items" };

/** Says in words that people and models can act on what to send instead: `send at most 20 characters`. */
export const explainIssue = (issue: z.core.$ZodRawIssue): string => {
  switch (issue.code) {
    case "invalid_type": {
      const expected = TYPES[issue.expected] ?? "another value";
      return issue.input === undefined
        ? `send ${expected}, which is missing`
        : `send ${expected}, not ${typeOf(issue.input)}`;
    }
    case "invalid_value":
      return `send ${issue.values.length > 1 ? "one of " : ""}${
        issue.values.map((each) => JSON.stringify(each)).join(", ")
      }`;
    case "invalid_format":
      return `send ${FORMATS[issue.format] ?? "text in the expected form"}`;
    case "too_big":
      return `send at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`;
    case "too_small":
      return `send at least ${issue.minimum}${UNITS[issue.origin] ?? ""}`;
    case "not_multiple_of":
      return `send a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `there is no ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    default:
      return "this is not valid";
  }
};

/** The option of a schema's `safeParse` for messages in sentences, as forms and the API have them. */
export const IN_SENTENCES = {
  error(issue: z.core.$ZodRawIssue): string {
    const text = explainIssue(issue);
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  },
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number") return Number.isInteger(value) ? "a whole number" : "a number";
  if (typeof value === "boolean") return String(value);
  return TYPES[Array.isArray(value) ? "array" : typeof value] ?? "this";
}
