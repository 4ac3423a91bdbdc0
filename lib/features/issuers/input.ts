import { z } from "zod";
import { emailSchema } from "../../platform/mail/mod.ts";
import { nonEmptyText } from "../contact/mod.ts";

export const MAX_ISSUER_NAME = 120;

/** The issuer in the form that adds a document; empty for the own organisation. */
export const issuerChoiceSchema = z.object({ issuer: z.string().max(36).default("") });

export const nameSchema = nonEmptyText(MAX_ISSUER_NAME, "Enter the name of the organisation.")
  .transform((name) => name.replace(/\s+/g, " "));

/** The form that adds an issuer. */
export const issuerSchema = z.object({ name: nameSchema });

/** The text that somebody entered as a domain, which the domains of issuers normalise. */
export const domainSchema = z.string("Enter a host name.").max(300, "A host name is shorter.");

/** A contact's address; empty for none. */
export const contactSchema = z.union([
  z.literal("").transform(() => null),
  emailSchema({ missing: "Enter an address, or nothing." }),
]);

export const MAX_STATE_REASON = 500;

export const stateSchema = z.object({
  state: z.enum(["active", "suspended", "ended"]),
  reason: nonEmptyText(MAX_STATE_REASON, "Enter the reason."),
});
