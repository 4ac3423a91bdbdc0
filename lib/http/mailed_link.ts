/** The handlers of links in mails: GET shows a button, whose POST uses the link. */
import { z } from "zod";
import { checkInput, readInput } from "./body.ts";

/** The URL contains a secret, which must not reach caches or other pages. */
export const CONFIDENTIAL = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

export const linkSchema = z.object({ token: z.string("Open the complete link from the mail.") });

/** Returns the token of a link: of a POST the one in its form, otherwise the one in its URL. */
export async function readToken({ req, url }: { req: Request; url: URL }): Promise<string> {
  const input = req.method === "POST" ? await readInput(req) : Object.fromEntries(url.searchParams);
  return checkInput(linkSchema, input).token;
}
