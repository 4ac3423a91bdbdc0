import { z } from "zod";
import { textField } from "../contact/mod.ts";
import { emailSchema } from "../mail/email.ts";

export const MAX_REQUESTER_NAME = 100;
export const MAX_REQUEST_REASON = 500;
export const MAX_DECISION_REASON = 200;

const required = (limit: number, message: string, lines = false) =>
  textField(limit, lines).transform((text, ctx) => {
    if (text !== undefined) return text;
    ctx.addIssue({ code: "custom", message });
    return z.NEVER;
  });

/** The form that asks for access to a document. */
export const requesterSchema = z.object({
  name: required(MAX_REQUESTER_NAME, "Enter your name."),
  email: emailSchema(),
  reason: required(MAX_REQUEST_REASON, "Enter why you need the document.", true),
});

/** The form that decides on a request. The reason may be empty. */
export const decisionSchema = z.object({
  act: z.enum(["approve", "refuse", "revoke"]),
  id: z.string().max(32),
  reason: textField(MAX_DECISION_REASON),
});
