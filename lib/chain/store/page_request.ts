import { eTag as untypedETag, ifNoneMatch as untypedIfNoneMatch } from "@std/http/etag";
import { z } from "zod";
import { checkInput } from "../../http/body.ts";
import type { Head } from "../head.ts";
import { MAX_PAGE, PAGE, type PageQuery } from "./page.ts";

const eTag: (entity: string, options: { weak: boolean }) => Promise<string> = untypedETag;
/** True where the body must be sent: no tag of the header's list is ours (RFC 9110, 13.1.2). */
const ifNoneMatch: (header: string | null, tag: string) => boolean = untypedIfNoneMatch;

const wholeNumber = (what: string, least: number, most: number) =>
  z.string().regex(/^\d{1,15}$/, what).transform(Number)
    .pipe(z.number().min(least, what).max(most, what));

const seq = wholeNumber("the seq of an event: a whole number from 0", 0, 1e15);

const query = z.object({
  before: seq.optional(),
  after: seq.optional(),
  limit: wholeNumber(`a number of events from 1 to ${MAX_PAGE}`, 1, MAX_PAGE).default(PAGE),
}).refine(({ before, after }) => before === undefined || after === undefined, {
  path: ["after"],
  error: "either before or after",
});

/**
 * What an address asks of a chain: `?before=<seq>&limit=` or `?after=<seq>&limit=`.
 *
 * @throws {RequestError} 400, with what is wrong with each parameter
 */
export const readPageQuery = ({ searchParams }: URL): PageQuery =>
  checkInput(query, Object.fromEntries(searchParams));

/**
 * The tag of a page. What is on it follows from the head and the query, so neither needs the events,
 * and asking again for what has not changed costs one look at the head.
 */
export const pageTag = (
  { signature }: Head,
  { before, after, limit }: PageQuery,
): Promise<string> => eTag(JSON.stringify([signature, before, after, limit]), { weak: true });

/** Whether the client has the page already. */
export const isUnchanged = (req: Request, tag: string): boolean =>
  !ifNoneMatch(req.headers.get("if-none-match"), tag);
