/** Mailed links that need no stored token, because a signature authenticates them. */
import { z } from "zod";
import type { SecretPurpose, Secrets } from "../../base/secrets.ts";
import { INCOMPLETE } from "./mailed_link.ts";

/** A link whose token is a signature. */
export interface SignedLink {
  /** The id in the link's URL, from which its subject is found. */
  of: string;
  token: string;
}

/** The mailed links of one kind, which store nothing. */
interface SignedLinks {
  /** The query of a link, or the fields of its form. */
  schema: z.ZodType<SignedLink>;
  /** Returns the path of the link to a subject. It is the same in all mails. */
  pathOf(secrets: Secrets, of: string, subject?: string): Promise<string>;
  /** Returns whether a link to a subject was mailed. The comparison takes constant time. */
  isMailed(secrets: Secrets, link: SignedLink, subject?: string): Promise<boolean>;
}

interface SignedLinksOptions {
  path: string;
  purpose: SecretPurpose;
  /** The form of the ids. */
  of: RegExp;
}

/**
 * Creates the mailed links of one kind whose tokens are signatures of what they lead to. Such a link works for as long
 * as its subject exists with the text that was signed, and the state of the subject decides what can be done
 * with it. Links that work once, or for a time, are stored instead (`createSingleUseTokens`).
 *
 * @example
 * ```ts
 * const offers = createSignedLinks({ path: "/accept", purpose: "acceptance", of: /^[\w-]{1,64}$/ });
 * const path = await offers.pathOf(secrets, id);
 *
 * const link = checkInput(offers.schema, input);
 * if (await offers.isMailed(secrets, link)) …
 * ```
 */
export const createSignedLinks = (
  { path, purpose, of: form }: SignedLinksOptions,
): SignedLinks => ({
  schema: z.object({
    of: z.string(INCOMPLETE).regex(form, INCOMPLETE),
    token: z.string(INCOMPLETE).max(200, INCOMPLETE),
  }),
  pathOf: async (secrets, of, subject = of) =>
    `${path}?of=${of}&token=${await secrets.sign(purpose, subject)}`,
  isMailed: (secrets, { of, token }, subject = of) => secrets.verify(purpose, subject, token),
});
