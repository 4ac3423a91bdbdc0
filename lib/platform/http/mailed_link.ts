/** The handlers of links in mails: GET shows a button, whose POST uses the link. */
import { z } from "zod";
import { readInput } from "./body.ts";
import { RequestError } from "./errors.ts";

/** The URL contains a secret, which must not reach caches or other pages. */
export const CONFIDENTIAL = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/** The message about a link without its token, or without its end. */
export const INCOMPLETE = "Open the complete link from the email.";

const linkSchema = z.object({ token: z.string(INCOMPLETE) });

/**
 * Returns the token of a link from its query, or from the fields of its form.
 *
 * @throws {RequestError} 400 without a token
 */
export function tokenOf(input: unknown): string {
  const link = linkSchema.safeParse(input);
  if (link.success) return link.data.token;
  throw new RequestError(400, INCOMPLETE, { issues: { token: INCOMPLETE } });
}

/** Returns the token of a link: the one in the form of a POST, otherwise the one in the URL. */
export const readToken = async ({ req, url }: { req: Request; url: URL }): Promise<string> =>
  tokenOf(req.method === "POST" ? await readInput(req) : Object.fromEntries(url.searchParams));
