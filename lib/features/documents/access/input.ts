/**
 * The forms and bodies about access: requests, decisions, shares and the codes of links.
 *
 * @module
 */
import { z } from "zod";
import { emailSchema } from "../../../base/email.ts";
import { nonEmptyText, textField } from "../../contact/mod.ts";
import { MAX_KEY_INPUT } from "../../records/mod.ts";
import { MAX_SHARE_LABEL, SHARE_DAYS, SHARE_OPENINGS } from "./share_rows.ts";

/** The message for text that is not a code. */
export const NOT_A_CODE = "A code has 26 letters and digits.";

export const MAX_REQUESTER_NAME = 100;
export const MAX_REQUEST_REASON = 500;
export const MAX_DECISION_REASON = 200;

const oneOf = (choices: readonly number[]) =>
  z.coerce.number().refine((number) => choices.includes(number), "Choose one from the list.");

/** The forms that create and end a link with which a holder shares a document. */
export const shareSchema = z.discriminatedUnion("act", [
  z.object({
    act: z.literal("create"),
    days: oneOf(SHARE_DAYS),
    openings: oneOf(SHARE_OPENINGS),
    label: textField(MAX_SHARE_LABEL).transform((label) => label ?? null),
    form: z.uuid("The page has changed. Reload it."),
  }),
  z.object({
    act: z.literal("end"),
    share: z.string().regex(/^[0-9a-f]{64}$/, "The page has changed. Reload it."),
  }),
]);

/** The longest number of a page, see `OpenLink`. */
const MAX_PAGE = 64;

/** The body of `POST /s`: looks up a link, opens its document, or asks for a new link of the same person. */
export const linkCodeSchema = z.object({
  act: z.enum(["look", "open", "new_link"]).default("look"),
  code: z.string(NOT_A_CODE).max(MAX_KEY_INPUT, NOT_A_CODE),
  page: z.string().min(1).max(MAX_PAGE).default(() => crypto.randomUUID()),
});

/** The form that asks for access to a document. */
export const requesterSchema = z.object({
  name: nonEmptyText(MAX_REQUESTER_NAME, "Enter your name."),
  email: emailSchema(),
  reason: nonEmptyText(MAX_REQUEST_REASON, "Enter why you need the document.", true),
});

/** The form that decides on a request, or undoes the decision. The reason may be empty. */
export const decisionSchema = z.object({
  act: z.enum(["approve", "refuse", "revoke", "undo"]),
  id: z.string().max(32),
  reason: textField(MAX_DECISION_REASON),
});
