/** The forms with which administrators add, rename and suspend issuers, and the rules for their names. */
import { z } from "zod";
import { emailSchema } from "../../platform/mail/mod.ts";
import { nonEmptyText } from "../contact/mod.ts";

/** The longest name of an issuer, in characters. */
export const MAX_ISSUER_NAME = 120;

/** The issuer in the form that adds a document; empty for the own organisation. */
export const issuerChoiceSchema = z.object({ issuer: z.string().max(36).default("") });

/** Parts that a name must not have, because readers would think that somebody has checked them. */
const MISLEADING: readonly { problem: string; isIn: (name: string) => boolean }[] = [
  {
    problem: "A name cannot contain a host name. Pages show the verified domain beside it.",
    isIn: (name) => /[\p{L}\p{N}-]+[.\u3002\uFF0E\uFF61](xn--[a-z0-9-]+|\p{L}{2,})/iu.test(name),
  },
  {
    problem: "A name cannot contain “verified”. Pages add this word once the domain is verified.",
    isIn: (name) => /verified/i.test(name.normalize("NFKC")),
  },
  {
    problem:
      "A word cannot mix Latin letters with Cyrillic or Greek ones, because they look alike.",
    isIn: (name) =>
      (name.match(/[\p{L}\p{M}]+/gu) ?? []).some((word) =>
        /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word)
      ),
  },
];

/** The name of an issuer. It must not look like a domain, or like another name. */
export const nameSchema = nonEmptyText(MAX_ISSUER_NAME, "Enter the name of the organisation.")
  .transform((name) => name.replace(/\s+/g, " "))
  .superRefine((name, { addIssue }) => {
    const found = MISLEADING.find(({ isIn }) => isIn(name));
    if (found !== undefined) addIssue({ code: "custom", message: found.problem });
  });

/** The form that adds an issuer. */
export const issuerSchema = z.object({ name: nameSchema });

/** The text that somebody entered as a domain, which the domains of issuers normalise. */
export const domainSchema = z.string("Enter a host name.").max(
  300,
  "This is too long for a host name.",
);

/** A contact's address; empty for none. */
export const contactSchema = z.union([
  z.literal("").transform(() => null),
  emailSchema({ missing: "Enter an email address, or leave this empty." }),
]);

/** The longest reason of a change of state, in characters. */
export const MAX_STATE_REASON = 500;

/** The form that suspends, ends or reactivates an issuer. */
export const stateSchema = z.object({
  state: z.enum(["active", "suspended", "ended"]),
  reason: nonEmptyText(MAX_STATE_REASON, "Enter the reason."),
});
