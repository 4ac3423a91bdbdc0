import { z } from "zod";
import { nonEmptyText } from "../contact/mod.ts";

export const MAX_ISSUER_NAME = 120;

/** The issuer in the form that adds a document; empty for the own organisation. */
export const issuerChoiceSchema = z.object({ issuer: z.string().max(36).default("") });

export const nameSchema = nonEmptyText(MAX_ISSUER_NAME, "Enter the name of the organisation.")
  .transform((name) => name.replace(/\s+/g, " "));

/** The form that adds an issuer. */
export const issuerSchema = z.object({ name: nameSchema });
