import { z } from "zod";
import type { Secrets } from "../../base/secrets.ts";
import type { KeyRef } from "./key_rows.ts";
import type { IssuerRow } from "./rows.ts";

const INCOMPLETE = "Open the complete link from the mail.";

/** The query of a link that revokes a key, or the fields of its form. */
export const revocationLinkSchema = z.object({
  of: z.string(INCOMPLETE).regex(/^[\w-]{1,36}\.[0-9a-f]{16}$/, INCOMPLETE),
  token: z.string(INCOMPLETE).max(200, INCOMPLETE),
});
export type RevocationLink = z.output<typeof revocationLinkSchema>;

/**
 * Returns the path of the link in the mails about a key. It is the same in all of them, and leads to the key for
 * as long as the key is listed: the state of the key decides what the page offers.
 */
export async function revocationPath(
  secrets: Secrets,
  { issuer, id }: Pick<KeyRef, "issuer" | "id">,
): Promise<string> {
  const of = `${issuer}.${id}`;
  return `/keys/revoke?of=${of}&token=${await secrets.sign("key-revocation", of)}`;
}

/** Returns the key that a mailed link leads to; null if the link was not mailed. */
export async function keyOfLink(
  secrets: Secrets,
  { of, token }: RevocationLink,
): Promise<Pick<KeyRef, "issuer" | "id"> | null> {
  if (!await secrets.verify("key-revocation", of, token)) return null;
  const [issuer, id] = of.split(".");
  return { issuer, id };
}

/** The query of a link that stops an issuer, or the fields of its form. */
export const stopLinkSchema = z.object({
  of: z.string(INCOMPLETE).regex(/^[\w-]{1,36}$/, INCOMPLETE),
  token: z.string(INCOMPLETE).max(200, INCOMPLETE),
});
export type StopLink = z.output<typeof stopLinkSchema>;

/** The signed text has a slash, so that it differs from that of every key. */
const stopText = ({ id, contact }: Stoppable) => `${id}/${contact}`;
type Stoppable = Pick<IssuerRow, "id" | "contact">;

/**
 * Returns the path of the link that stops everything of an issuer. It works as long as the issuer has the contact to
 * whom it was mailed: somebody who left must not be able to stop it.
 */
export const stopPath = async (secrets: Secrets, issuer: Stoppable): Promise<string> =>
  `/keys/stop?of=${issuer.id}&token=${await secrets.sign("key-revocation", stopText(issuer))}`;

/** Returns whether a link that stops an issuer was mailed to its contact. */
export const isStopLink = async (
  secrets: Secrets,
  issuer: Stoppable,
  { token }: StopLink,
): Promise<boolean> =>
  issuer.contact !== null && await secrets.verify("key-revocation", stopText(issuer), token);
