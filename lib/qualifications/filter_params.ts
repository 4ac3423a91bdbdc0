import { z } from "zod";
import { RequestError } from "../http/errors.ts";
import { type Filters, PAGE_SIZE, QUERY_LENGTH } from "./filters.ts";
import type { AqfLevel } from "./qualification.ts";

/** The most qualifications that one answer of the endpoint lists. */
const MOST = 100;

const LEVELS = ["1", "2", "3", "4", "5", "6", "7", "8"] as const;

const wholeNumber = (what: string, least: number, most: number) =>
  z.string().regex(/^\d{1,6}$/, what).transform(Number)
    .pipe(z.number().min(least, what).max(most, what));

const tooLong = `at most ${QUERY_LENGTH} characters`;
const q = z.string().max(4 * QUERY_LENGTH, tooLong).trim().max(QUERY_LENGTH, tooLong);
const level = z.enum(LEVELS, "an AQF level from 1 to 8").transform((text) =>
  Number(text) as AqfLevel
);
const packageCode = z.string().max(20, "three letters such as BSB").trim().toUpperCase()
  .regex(/^[A-Z]{3}$/, "three letters such as BSB");
const status = z.enum(["current", "superseded"], "current or superseded");

/** The endpoint's parameters: what cannot be used is refused. */
const Listing = z.object({
  q: q.default(""),
  level: level.optional(),
  package: packageCode.optional(),
  status: status.optional(),
  limit: wholeNumber(`a number from 1 to ${MOST}`, 1, MOST).default(PAGE_SIZE),
  offset: wholeNumber("a number from 0 to 100000", 0, 100_000).default(0),
});

/** A page's parameters: people follow old and mistyped links, so what cannot be used is dropped. */
const Page = z.object({
  q: z.string().transform((text) => text.slice(0, 4 * QUERY_LENGTH).trim().slice(0, QUERY_LENGTH))
    .catch(""),
  level: level.optional().catch(undefined),
  package: packageCode.optional().catch(undefined),
  status: status.optional().catch(undefined),
  page: wholeNumber("a page", 1, 100_000).catch(1),
});

/** What `GET /api/qualifications` was asked for. */
export interface ListingRequest {
  filters: Filters;
  limit: number;
  offset: number;
}

/**
 * Reads the endpoint's parameters. An empty one counts as absent, as a form sends it.
 *
 * @throws {RequestError} 400 `invalid_request` with an issue for each parameter
 */
export function readListingRequest({ searchParams }: URL): ListingRequest {
  const parsed = Listing.safeParse(given(searchParams));
  if (!parsed.success) {
    const issues = Object.fromEntries(
      parsed.error.issues.map(({ path, message }) => [String(path[0]), `Should be ${message}.`]),
    );
    throw new RequestError(400, "Some parameters cannot be used.", { issues });
  }
  const { limit, offset, ...filters } = parsed.data;
  return { filters, limit, offset };
}

/** Reads a page's parameters; never fails. `page` counts from 1. */
export function readPageRequest({ searchParams }: URL): { filters: Filters; page: number } {
  const { page, ...filters } = Page.parse(given(searchParams));
  return { filters, page };
}

function given(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...params].filter(([, value]) => /\S/.test(value)));
}
