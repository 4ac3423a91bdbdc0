import type { Secrets } from "../../base/secrets.ts";

/**
 * Returns the path of the link in a recipient's mails. It is the same in all of them, so every mail works
 * until one of them was used: the state of the recipient decides.
 */
export const acceptPath = async (secrets: Secrets, id: string): Promise<string> =>
  `/accept?of=${id}&token=${await secrets.sign("acceptance", id)}`;

/** Returns whether a link is one that was mailed to a recipient. */
export const isAcceptLink = (
  secrets: Secrets,
  { id, token }: { id: string; token: string },
): Promise<boolean> => secrets.verify("acceptance", id, token);
