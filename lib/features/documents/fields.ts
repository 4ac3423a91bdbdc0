/**
 * The fields of documents, with one name and one schema each for forms, the API and files. Errors are sentences
 * that fit all of them.
 *
 * @module
 */
import { z } from "zod";
import { isDay } from "../../base/time.ts";
import { unmarked } from "../../base/pasted.ts";
import { nonEmptyText } from "../contact/mod.ts";
import { MAX_REASON } from "./store.ts";

export const MAX_TITLE = 120;
export const MAX_KIND = 60;

const titleField = nonEmptyText(MAX_TITLE, "The title is missing.")
  .meta({ description: `The title, at most ${MAX_TITLE} characters.` });

const typeField = nonEmptyText(MAX_KIND, "The type is missing, such as Certificate.").meta({
  description:
    `The kind of document, such as \`Certificate\`, which everybody sees. At most ${MAX_KIND} characters.`,
});

const A_DAY = "Write a day as YYYY-MM-DD, such as 2026-11-20.";

/** A day: `2026-11-20`. */
export const dayField = z.string(A_DAY).overwrite(unmarked).max(10, A_DAY).refine(isDay, A_DAY)
  .meta({ format: "date" });

/** The description of a document. */
export const ABOUT_FIELDS = {
  title: titleField,
  type: typeField,
  date: dayField.optional().meta({
    description: "The day that the document states. A certificate needs one.",
  }),
  expires_on: dayField.optional().meta({
    description: "The last day, in UTC, on which the document is valid.",
  }),
};

/** Returns why a document cannot be valid until a time; undefined if it can. */
export const expiryProblem = (
  expires_at: string | null | undefined,
  now: number,
): string | undefined => expires_at && Date.parse(expires_at) < now ? EXPIRED : undefined;

const EXPIRED = "This day is in the past. Leave it out if the document does not expire.";

/** Decides whether the hash may be confirmed to anybody: by the kind of file, always or never. */
export const HASH_CHOICES = ["default", "publish", "hide"] as const;

const hashField = z.enum(HASH_CHOICES, "Choose default, publish or hide.").default("default")
  .meta({
    description:
      "Whether everybody may confirm the document by its hash. Default: yes, unless the " +
      "content could be guessed, as with small files and files that are not PDFs.",
  });

/** The facts that everybody may know of a document. */
export const PUBLIC_FIELDS = {
  public: z.boolean("Send true or false.").default(false).meta({
    description: "Whether everybody sees the title.",
  }),
  publish_hash: hashField,
};

/** Returns the members of a document or version for the choice of who may confirm its hash. */
export const guessableFor = (choice: typeof HASH_CHOICES[number]): { guessable?: boolean } =>
  choice === "default" ? {} : { guessable: choice === "hide" };

/** Returns the last instant of the last day on which a document is valid, in UTC; null if it does not expire. */
export const endOf = (day: string | undefined): string | null =>
  day === undefined ? null : `${day}T23:59:59.999Z`;

/** Returns the fields of a document with the names that its row has for them. */
export const storedFields = <
  Fields extends {
    publish_hash: typeof HASH_CHOICES[number];
    expires_on?: string;
  },
>(
  { publish_hash, expires_on, ...fields }: Fields,
) => ({
  ...fields,
  ...guessableFor(publish_hash),
  expires_at: endOf(expires_on),
});

/** Returns the texts of a form or a row without those that were left empty, which are absent. */
export const withoutEmpty = (texts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => String(text).trim() !== ""));

/** The hint beside the field for the reason of a withdrawal. */
export const REASON_HINT =
  "Do not name anyone, because others see the reason. It is erased if the recipient does not accept the " +
  "document, and with their record.";

/** Why a document is withdrawn. */
export const reasonField = nonEmptyText(MAX_REASON, "The reason is missing.")
  .meta({ description: `${REASON_HINT} At most ${MAX_REASON} characters.` });
