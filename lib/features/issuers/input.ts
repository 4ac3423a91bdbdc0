import { z } from "zod";
import { nonEmptyText } from "../contact/mod.ts";

export const MAX_ISSUER_NAME = 120;

/** The issuer in the form that adds a document; empty for the own organisation. */
export const issuerChoiceSchema = z.object({ issuer: z.string().max(36).default("") });

const issuerName = nonEmptyText(MAX_ISSUER_NAME, "Enter the name of the organisation.")
  .transform((name) => name.replace(/\s+/g, " "));
const issuerId = z.string().max(36);

/** The forms that add, rename and remove an issuer. */
export const issuerSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("add"), name: issuerName }),
  z.object({ act: z.literal("rename"), id: issuerId, name: issuerName }),
  z.object({ act: z.literal("remove"), id: issuerId }),
]);
