/** Reads the query parameters of the qualification search, for the API and for its page. */
import { z } from "zod";
import { unmarked } from "../../base/pasted.ts";
import { nonEmpty } from "../../platform/http/query.ts";
import { integer } from "../../platform/http/schemas.ts";
import { MAX_QUERY_LENGTH, PAGE_SIZE, searchUrl } from "./filters.ts";
import { AQF_LEVELS } from "./schemas.ts";

const MAX_LIMIT = 100;
const MAX_OFFSET = 100_000;

const LEVELS = AQF_LEVELS.map(String);

/** Limits the raw text before any processing. The trimmed text has a lower limit. */
const MAX_RAW_LENGTH = 4 * MAX_QUERY_LENGTH;
const TOO_LONG = `Should be at most ${MAX_QUERY_LENGTH} characters.`;
const PACKAGE = "Should be three letters such as BSB.";

const level = z.enum(LEVELS, "Should be an AQF level from 1 to 8.")
  .transform(Number).pipe(z.literal(AQF_LEVELS)).describe("The level of the AQF.");
const packageCode = z.string().max(20, PACKAGE).overwrite(unmarked).toUpperCase()
  .regex(/^[A-Z]{3}$/, PACKAGE)
  .meta({ pattern: "^[A-Za-z]{3}$", description: "The training package, three letters." });
const status = z.enum(["current", "superseded"], "Should be current or superseded.");

/** The query of `GET /api/qualifications`. */
export const listingQuerySchema = z.object({
  q: z.string().max(MAX_RAW_LENGTH, TOO_LONG).trim().max(MAX_QUERY_LENGTH, TOO_LONG).default("")
    .describe("The start of a code, words of a title, or a training package."),
  level: level.optional(),
  package: packageCode.optional(),
  status: status.optional(),
  limit: integer(1, MAX_LIMIT, `Should be a number from 1 to ${MAX_LIMIT}.`).default(PAGE_SIZE)
    .describe("The number of qualifications."),
  offset: integer(0, MAX_OFFSET, `Should be a number from 0 to ${MAX_OFFSET}.`).default(0)
    .describe("The number of matches to skip."),
});

/** Ignores invalid parameters, because people follow old and mistyped links. */
const PageQuery = z.object({
  q: z.string()
    .transform((text) => text.slice(0, MAX_RAW_LENGTH).trim().slice(0, MAX_QUERY_LENGTH))
    .catch(""),
  level: level.optional().catch(undefined),
  package: packageCode.optional().catch(undefined),
  status: status.optional().catch(undefined),
  page: integer(1, MAX_OFFSET, "Should be a page number.").catch(1),
});

/** Reads the parameters of a search page, and never throws. `page` starts at 1. */
export function readPageRequest({ searchParams }: URL) {
  const { page, ...filters } = PageQuery.parse(nonEmpty(searchParams));
  return { filters, page };
}

/**
 * Returns whether a URL of the search page is the one that {@linkcode searchUrl} returns for its
 * search. Searches that are written differently show the same.
 */
export function isSearchUrl(url: URL): boolean {
  const { filters, page } = readPageRequest(url);
  return url.pathname + url.search === searchUrl(url.pathname, filters, page);
}
