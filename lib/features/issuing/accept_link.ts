import type { Secrets } from "../../base/secrets.ts";
import { createSignedLinks } from "../../platform/http/signed_link.ts";

/** A link in a recipient's mails. */
export interface AcceptLink {
  /** The id of the recipient. */
  id: string;
  token: string;
}

const links = createSignedLinks({ path: "/accept", purpose: "acceptance", of: /^.{0,64}$/s });

/** The query of a link, or the fields of its form. */
export const acceptLinkSchema = links.schema.transform(
  ({ of, token }): AcceptLink => ({ id: of, token }),
);

/**
 * Returns the path of the link in a recipient's mails. It is the same in all of them, so every mail works
 * until one of them was used: the state of the recipient decides.
 */
export const acceptPath = (secrets: Secrets, id: string): Promise<string> =>
  links.pathOf(secrets, id);

/** Returns whether a link is one that was mailed to a recipient. */
export const isAcceptLink = (secrets: Secrets, { id, token }: AcceptLink): Promise<boolean> =>
  links.isMailed(secrets, { of: id, token });
