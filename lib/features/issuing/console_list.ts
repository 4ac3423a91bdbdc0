/** The console's list of an issuer's documents: its filters, and reading one document. */
import { type Documents, parseDocumentId } from "../documents/mod.ts";
import type { IssuerRow, Issuers } from "../issuers/mod.ts";
import { findIssue, ISSUED_STATES, type IssuedQuery } from "./find.ts";
import type { Issuing } from "./mod.ts";
import type { Listed } from "./listed.ts";
import { RequestError } from "../../platform/http/errors.ts";
import { atRow, choice, period, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type ReadFilters } from "../../platform/listing/list.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { issuerPath, readOwnIssuer } from "../issuers/mod.ts";

const MAX_SEARCH = 200;

/** Their tests are in the reading of the documents, which decides by recipients too. */
const FILTERS = {
  text: {
    kind: "search",
    label: "Number, external id, name or email",
    maxLength: MAX_SEARCH,
    posted: true,
    logged: "a search",
    parse: (text: string) =>
      text.length <= MAX_SEARCH && findIssue(text) === null ? text : undefined,
    issue: (text: string) =>
      text.length > MAX_SEARCH ? `Use at most ${MAX_SEARCH} characters.` : findIssue(text)!,
  },
  state: choice(ISSUED_STATES, {
    label: "State",
    any: "All",
    issue: "Choose a state from the list.",
  }),
  mode: withDefault(
    choice({ live: "Live", test: "Tests" }, {
      label: "Mode",
      issue: "Choose a mode from the list.",
    }),
    "live",
  ),
  ...period(),
  after: atRow("This page does not exist."),
} as const;

/** Returns the list of the documents of an issuer. A search is posted, because it may be a name or address. */
export const issuedList = (issuer: string) => defineList(issuerPath(issuer), FILTERS);

export type IssuedList = ReturnType<typeof issuedList>;
export type IssuedFilters = ReadFilters<typeof FILTERS>;
export type { IssuedQuery };

/** How many documents a page lists. */
export const ISSUED_PER_PAGE = 25;

/**
 * Reads a document of an issuer of the console's organisation, with its recipient.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to another issuer
 */
export async function readOwnIssued(
  state: {
    surface: Surface;
    services: { issuers: Issuers; documents: Documents; issuing: Pick<Issuing, "recipientsOf"> };
  },
  params: Record<string, string>,
): Promise<Listed & { issuer: IssuerRow }> {
  const { documents, issuing } = state.services;
  const id = parseDocumentId(params.document);
  const [issuer, document] = await Promise.all([
    readOwnIssuer(state, params.id),
    id === null ? null : documents.read(id),
  ]);
  if (document?.issuer.id !== issuer.id || document.organisation !== issuer.organisation) {
    throw new RequestError(404);
  }
  const recipients = await issuing.recipientsOf([document]);
  return { issuer, document, recipient: recipients.get(document.recipient ?? "") ?? null };
}
