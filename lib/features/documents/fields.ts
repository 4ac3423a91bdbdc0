/**
 * The fields of documents, each with one schema for forms, the API and files. Errors are sentences that fit all
 * of them.
 *
 * @module
 */
import { z } from "zod";
import { isDay } from "../../base/time.ts";
import { nonEmptyText } from "../contact/mod.ts";
import { MAX_REASON } from "./store.ts";

export const MAX_TITLE = 120;
export const MAX_KIND = 60;

export const titleField = nonEmptyText(MAX_TITLE, "The title is missing.")
  .meta({ description: `The title, at most ${MAX_TITLE} characters.` });

export const kindField = nonEmptyText(MAX_KIND, "The type is missing, such as Certificate.").meta({
  description:
    `The kind of document, such as \`Certificate\`, which everybody sees. At most ${MAX_KIND} characters.`,
});

const A_DAY = "Write a day as YYYY-MM-DD, such as 2026-11-20.";

/** A day: `2026-11-20`. */
export const dayField = z.string(A_DAY).trim().max(10, A_DAY).refine(isDay, A_DAY)
  .meta({ format: "date" });

/** Returns the last instant of the last day on which a document is valid, in UTC; null if it does not expire. */
export const endOf = (day: string | undefined): string | null =>
  day === undefined ? null : `${day}T23:59:59.999Z`;

/** Returns why a document cannot be valid until a time; undefined if it can. */
export const expiryProblem = (
  expires_at: string | null | undefined,
  now: number,
): string | undefined => expires_at && Date.parse(expires_at) < now ? EXPIRED : undefined;

const EXPIRED = "This day is over. Leave it out if the document does not expire.";

/** Decides whether the hash may be confirmed to anybody: by the kind of file, always or never. */
export const HASH_CHOICES = ["default", "publish", "hide"] as const;

export const hashField = z.enum(HASH_CHOICES, "Choose default, publish or hide.").default("default")
  .meta({
    description:
      "Whether everybody may confirm the document by its hash. Default: yes, unless the content could be " +
      "guessed, as that of small files and of other files than PDFs.",
  });

/** Returns the members of a document or version for the choice of who may confirm its hash. */
export const guessableFor = (choice: typeof HASH_CHOICES[number]): { guessable?: boolean } =>
  choice === "default" ? {} : { guessable: choice === "hide" };

/** The hint beside the field for the reason of a withdrawal. */
export const REASON_HINT =
  "Name nobody, because others see the reason. It is erased if the recipient does not accept the " +
  "document, and with their record.";

/** Why a document is withdrawn. */
export const reasonField = nonEmptyText(MAX_REASON, "The reason is missing.")
  .meta({ description: `${REASON_HINT} At most ${MAX_REASON} characters.` });
