import { z } from "zod";
import { textField } from "../contact/mod.ts";
import { isDay } from "../time.ts";
import { MAX_REASON } from "./store.ts";

export const MAX_TITLE = 120;
export const MAX_KIND = 60;

/** The choices for publishing a hash: by the kind of file, always or never. */
export const HASH_CHOICES = ["default", "publish", "hide"] as const;

const required = (limit: number, message: string) =>
  textField(limit).transform((text, ctx) => {
    if (text !== undefined) return text;
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const expiry = z.string().trim().max(10).refine(
  (day) => day === "" || isDay(day),
  "Enter a day, such as 2030-12-31.",
).transform((day) => day === "" ? null : `${day}T23:59:59.999Z`);

/** The fields of the form that adds or edits a document. An expiry is the end of a day in UTC. */
export const documentSchema = z.object({
  title: required(MAX_TITLE, "Enter a title."),
  kind: required(MAX_KIND, "Enter a kind, such as Certificate."),
  public: z.literal("on").optional().transform((value) => value === "on"),
  hash: z.enum(HASH_CHOICES, "Choose whether the hash is published.").default("default"),
  expires: expiry.default(null),
}).transform(({ hash, expires, ...document }) => ({
  ...document,
  ...hash === "default" ? {} : { guessable: hash === "hide" },
  expires_at: expires,
}));

export const withdrawalSchema = z.object({
  reason: required(MAX_REASON, "Enter a reason."),
});
