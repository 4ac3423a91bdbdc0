/**
 * The schemas of the requests of issuers about documents.
 *
 * @module
 */
import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { textField } from "../contact/mod.ts";
import {
  ABOUT_FIELDS,
  dayField,
  guessableFor,
  PUBLIC_FIELDS,
  reasonField,
  storedFields,
} from "../documents/mod.ts";
import { CERTIFICATE_LIMITS } from "./certificate/mod.ts";
import {
  CERTIFICATE_FIELDS,
  expiresInOrder,
  externalIdField,
  languageField,
  nameLatinField,
  RECIPIENT_FIELDS,
} from "./fields.ts";
import type { RecipientState } from "./recipients.ts";

const recipient = z.strictObject(
  RECIPIENT_FIELDS,
  "Send the recipient’s name and email address.",
);

/** The fields of a certificate. Those that are absent have the values of the document. */
const certificateFields = z.strictObject({
  name: textField(CERTIFICATE_LIMITS.name).meta({ description: "Default: the recipient's name." }),
  name_latin: nameLatinField,
  language: languageField.optional().meta({ description: "Default: the recipient's language." }),
  title: textField(CERTIFICATE_LIMITS.title).meta({ description: "Default: the title." }),
  date: dayField.optional().meta({ description: "Default: the date." }),
  ...CERTIFICATE_FIELDS,
}, "Send the fields of the certificate as an object.");

const template = z.strictObject({
  name: z.literal("certificate", "The only template is certificate.").meta({
    description: "The only template: a certificate with your name, logo and domain.",
  }),
  fields: certificateFields.prefault({}).meta({ description: "What is printed on it." }),
}, "Send the name of the template and its fields.").optional()
  .meta({
    description:
      "Makes the document as a PDF, instead of `file`. If the fonts cannot show a name, send it in Latin letters, or send your own PDF as `file`.",
  });

const IN_BASE64 = "Send the file in base64.";
/** The content of a document: a file or a template. `readApiInput` takes the file out. */
const content = {
  template,
  file: z.string(IN_BASE64).optional().meta({
    description: "The file in base64, at most 10 MiB. Or send it as `multipart/form-data`.",
  }),
  file_name: z.string("Send the name of the file.").min(1).max(255, "Use at most 255 characters.")
    .optional().meta({ description: "The name of `file`, which the recipient sees." }),
};

/** Returns whether a document has the date that its certificate needs. */
const hasItsDate = (input: { date?: unknown; template?: { fields?: { date?: unknown } } }) =>
  input?.template === undefined || input.date !== undefined ||
  input.template?.fields?.date !== undefined;

/** The body of a request that issues a document, or checks it first. */
export const newDocumentSchema = z.strictObject({
  recipient,
  ...ABOUT_FIELDS,
  external_id: externalIdField.optional(),
  ...PUBLIC_FIELDS,
  ...content,
}, "Send a JSON object or a form.").check(expiresInOrder).refine(hasItsDate, {
  path: ["date"],
  message: "A certificate needs a date.",
  // Together with what is wrong with other fields.
  when: () => true,
}).transform(({ file_name: _, file: __, ...document }) => storedFields(document));
export type IssueInput = z.output<typeof newDocumentSchema>;

/** The body of a request that adds a version. */
export const newVersionSchema = z.strictObject({
  publish_hash: PUBLIC_FIELDS.publish_hash,
  ...content,
})
  .transform(({ publish_hash, template }) => ({ template, ...guessableFor(publish_hash) }));
export type VersionInput = z.output<typeof newVersionSchema>;

/** The body of a request that withdraws a document. */
export const withdrawSchema = z.strictObject({ reason: reasonField });

/** The body of a request that acts as the recipient of a test document. */
export const simulateSchema = z.strictObject({
  as: z.enum(["accepted", "refused", "lapsed"], "Send accepted, refused or lapsed."),
});

/** The body of a request without fields. */
export const emptySchema = z.strictObject({});

export const RECIPIENT_STATES = [
  "waiting",
  "accepted",
  "refused",
  "lapsed",
] as const satisfies readonly RecipientState[];
export const STATUSES = ["current", "expired", "withdrawn"] as const;

/** The most documents of a page. */
export const MAX_PAGE = 100;
const LIMIT = `Send a number from 1 to ${MAX_PAGE}.`;
const INSTANT = "Send a time in UTC, such as 2026-11-20T09:30:00Z.";
const instant = z.iso.datetime(INSTANT).transform((text) => new Date(text).toISOString());

/** The parameters of a list. */
export const listSchema = z.strictObject({
  cursor: z.string().max(400).optional().meta({ description: "The `next_cursor` of a list." }),
  limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_PAGE, LIMIT).default(20),
  external_id: externalIdField.optional(),
  email: emailSchema().optional().meta({ description: "The recipient's address." }),
  status: z.enum(STATUSES, `Send ${STATUSES.join(", ")}.`).optional(),
  recipient_status: z.enum(RECIPIENT_STATES, `Send ${RECIPIENT_STATES.join(", ")}.`).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
});
export type ListInput = z.output<typeof listSchema>;

/** The query of a request for a document's file. */
export const fileQuerySchema = z.strictObject({
  form: z.enum(["issued", "original"], "Send issued or original.").default("issued").meta({
    description: "The copy with codes on every page, or the file as it was sent.",
  }),
  version: z.coerce.number("Send the number of a version.").int().min(1).optional().meta({
    description: "Default: the newest.",
  }),
});
