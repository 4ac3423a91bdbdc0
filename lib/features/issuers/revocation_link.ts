/** The signed links in mails with which an issuer revokes a key or stops everything. */
import type { Secrets } from "../../base/secrets.ts";
import { createSignedLinks, type SignedLink } from "../../platform/http/signed_link.ts";
import type { KeyRef } from "./key_rows.ts";
import type { IssuerRow } from "./rows.ts";

const purpose = "key-revocation";

const revocationLinks = createSignedLinks({
  path: "/keys/revoke",
  purpose,
  of: /^[\w-]{1,36}\.[0-9a-f]{16}$/,
});

/** The query of a link that revokes a key, or the fields of its form. */
export const revocationLinkSchema = revocationLinks.schema;

/**
 * Returns the path of the link in the mails about a key. It leads to the key for as long as the key is listed: the
 * state of the key decides what the page offers.
 */
export const revocationPath = (
  secrets: Secrets,
  { issuer, id }: Pick<KeyRef, "issuer" | "id">,
): Promise<string> => revocationLinks.pathOf(secrets, `${issuer}.${id}`);

/** Returns the key that a mailed link leads to; null if the link was not mailed. */
export async function keyOfLink(
  secrets: Secrets,
  link: SignedLink,
): Promise<Pick<KeyRef, "issuer" | "id"> | null> {
  if (!await revocationLinks.isMailed(secrets, link)) return null;
  const [issuer, id] = link.of.split(".");
  return { issuer, id };
}

const stopLinks = createSignedLinks({ path: "/keys/stop", purpose, of: /^[\w-]{1,36}$/ });

/** The query of a link that stops an issuer, or the fields of its form. */
export const stopLinkSchema = stopLinks.schema;

/** The signed text has a slash, so that it differs from that of every key. */
const stopText = ({ id, contact }: Stoppable) => `${id}/${contact}`;
type Stoppable = Pick<IssuerRow, "id" | "contact">;

/**
 * Returns the path of the link that stops everything of an issuer. It works as long as the issuer has the contact to
 * whom it was mailed: somebody who left must not be able to stop it.
 */
export const stopPath = (secrets: Secrets, issuer: Stoppable): Promise<string> =>
  stopLinks.pathOf(secrets, issuer.id, stopText(issuer));

/** Returns whether a link that stops an issuer was mailed to its contact. */
export const isStopLink = async (
  secrets: Secrets,
  issuer: Stoppable,
  link: SignedLink,
): Promise<boolean> =>
  issuer.contact !== null && await stopLinks.isMailed(secrets, link, stopText(issuer));
