import { z } from "zod";
import { emailSchema } from "../../base/email.ts";
import { isDay } from "../../base/time.ts";
import { enquirySchema, nonEmptyText, textField } from "../contact/mod.ts";
import { HASH_CHOICES, MAX_KIND, MAX_REASON, MAX_TITLE } from "../documents/mod.ts";
import { CERTIFICATE_LIMITS } from "./certificate/mod.ts";
import type { RecipientState } from "./recipients.ts";

export const MAX_EXTERNAL_ID = 100;
const MAX_RECIPIENT_NAME = 200;

const A_DAY = "Write a day as YYYY-MM-DD, such as 2026-11-20.";
const day = z.string(A_DAY).max(10, A_DAY).refine(isDay, A_DAY).meta({ format: "date" });

const NO_NAME = "Send the recipient’s name.";
const recipient = z.strictObject({
  name: nonEmptyText(MAX_RECIPIENT_NAME, NO_NAME)
    // A record is registered with this name, so it must be one that the form would accept.
    .refine((name) => enquirySchema.safeParse({ name, email: "a@example.org" }).success, NO_NAME)
    .meta({
      description:
        `At most ${MAX_RECIPIENT_NAME} characters; on a certificate ${CERTIFICATE_LIMITS.name}.`,
    }),
  email: emailSchema({ missing: "Send the recipient’s email address." }).meta({
    description: "The address that is mailed. Only you and the recipient see it.",
  }),
}, "Send the recipient’s name and email address.");

const EXTERNAL_ID = `Use 1 to ${MAX_EXTERNAL_ID} visible characters.`;
const externalId = z.string(EXTERNAL_ID).max(MAX_EXTERNAL_ID, EXTERNAL_ID)
  .refine((text) => /^[^\p{C}\p{Z}]+( [^\p{C}\p{Z}]+)*$/u.test(text), EXTERNAL_ID)
  // It is kept when a recipient is forgotten, and events contain it.
  .refine((text) => !text.includes("@"), "Send no email address as the id of a document.")
  .meta({
    description:
      "Your own id of the document, which must not be about a person: it is kept when the recipient " +
      "is forgotten. We only check that it is unique within the file of a batch.",
  });

const certificateText = (limit: number, description: string) =>
  textField(limit, true).meta({ description: `${description} At most ${limit} characters.` });

/** The fields of a certificate. Those that are absent have the values of the document. */
const certificateFields = z.strictObject({
  name: textField(CERTIFICATE_LIMITS.name).meta({ description: "Default: the recipient's name." }),
  title: textField(CERTIFICATE_LIMITS.title).meta({ description: "Default: the title." }),
  date: day.optional().meta({ description: "Default: the date." }),
  subtitle: certificateText(
    CERTIFICATE_LIMITS.subtitle,
    "Below the title, such as a code or a specialisation.",
  ),
  body: certificateText(
    CERTIFICATE_LIMITS.body,
    "A paragraph, such as the units that were completed.",
  ),
  grade: certificateText(CERTIFICATE_LIMITS.grade, "The result."),
  signatory: certificateText(CERTIFICATE_LIMITS.signatory, "The name of the person who signs."),
  signatory_title: certificateText(
    CERTIFICATE_LIMITS.signatory_title,
    "The position of that person.",
  ),
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

const publishHash = z.enum(HASH_CHOICES, "Send default, publish or hide.").default("default").meta({
  description:
    "Whether everybody may confirm the document by its hash. Default: yes, unless the content could be " +
    "guessed, as that of small files and of other files than PDFs.",
});

/** The members of a document or version for the choice of who may confirm its hash. */
const guessableFor = (choice: typeof HASH_CHOICES[number]): { guessable?: boolean } =>
  choice === "default" ? {} : { guessable: choice === "hide" };

/** Returns whether a document has the date that its certificate needs. */
const hasItsDate = (input: { date?: unknown; template?: { fields?: { date?: unknown } } }) =>
  input?.template === undefined || input.date !== undefined ||
  input.template?.fields?.date !== undefined;

/** The body of a request that issues a document. */
export const issueSchema = z.strictObject({
  recipient,
  title: nonEmptyText(MAX_TITLE, "Send a title.").meta({
    description: `The title, at most ${MAX_TITLE} characters.`,
  }),
  type: nonEmptyText(MAX_KIND, "Send a type, such as Certificate.").meta({
    description:
      `The kind of document, such as \`Certificate\`, which everybody sees. At most ${MAX_KIND} characters.`,
  }),
  date: day.optional().meta({
    description: "The day that the document states. A certificate needs one.",
  }),
  external_id: externalId.optional(),
  expires_on: day.nullish().meta({
    description: "The last day, in UTC, on which the document is valid.",
  }),
  public: z.boolean("Send true or false.").default(false).meta({
    description: "Whether everybody sees the title.",
  }),
  publish_hash: publishHash,
  ...content,
}, "Send a JSON object or a form.").refine(hasItsDate, {
  path: ["date"],
  message: A_DAY,
  // Together with what is wrong with other fields.
  when: () => true,
}).transform((
  { publish_hash, expires_on, file_name: _, file: __, ...document },
) => ({
  ...document,
  ...guessableFor(publish_hash),
  expires_at: expires_on ? `${expires_on}T23:59:59.999Z` : null,
}));
export type IssueInput = z.output<typeof issueSchema>;

/** The body of a request that adds a version. */
export const newVersionSchema = z.strictObject({ publish_hash: publishHash, ...content })
  .transform(({ publish_hash, template }) => ({ template, ...guessableFor(publish_hash) }));
export type VersionInput = z.output<typeof newVersionSchema>;

export const withdrawSchema = z.strictObject({
  reason: nonEmptyText(MAX_REASON, "Send a reason, which everybody sees."),
});

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

export const MAX_PAGE = 100;
const LIMIT = `Send a number from 1 to ${MAX_PAGE}.`;
const INSTANT = "Send a time in UTC, such as 2026-11-20T09:30:00Z.";
const instant = z.iso.datetime(INSTANT).transform((text) => new Date(text).toISOString());

/** The parameters of a list. */
export const listSchema = z.strictObject({
  cursor: z.string().max(400).optional().meta({ description: "The `next_cursor` of a list." }),
  limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_PAGE, LIMIT).default(20),
  external_id: externalId.optional(),
  email: emailSchema().optional().meta({ description: "The recipient's address." }),
  status: z.enum(STATUSES, `Send ${STATUSES.join(", ")}.`).optional(),
  recipient_status: z.enum(RECIPIENT_STATES, `Send ${RECIPIENT_STATES.join(", ")}.`).optional(),
  created_after: instant.optional(),
  created_before: instant.optional(),
});
export type ListInput = z.output<typeof listSchema>;

export const fileQuerySchema = z.strictObject({
  form: z.enum(["issued", "original"], "Send issued or original.").default("issued").meta({
    description: "The copy with codes on every page, or the file as it was sent.",
  }),
  version: z.coerce.number("Send the number of a version.").int().min(1).optional().meta({
    description: "Default: the newest.",
  }),
});
