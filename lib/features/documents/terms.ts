import { tokensOf } from "../../base/words.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** The most words and beginnings of words by which one document is found. */
const MOST_TOKENS = 12;

/** The documents that are searched: those of one issuer, or all that an organisation has registered. */
export type TermScope = `issuer:${string}` | `organisation:${OrganisationKey}`;

/** Returns the term of an issuer's own id, which is found in any case. */
export const externalIdTerm = (id: string): string => `#${id.toLowerCase()}`;

/** The members of a document by which it is found. */
interface Found {
  named?: string;
  external_id?: string;
  issuer: { id: string };
  organisation: OrganisationKey;
}

/** Returns the terms by which a document is found: the words of the recipient's name, and the issuer's own id. */
export const termsOf = ({ named, external_id }: Found): string[] => [
  ...named === undefined ? [] : tokensOf([named], MOST_TOKENS),
  ...external_id === undefined ? [] : [externalIdTerm(external_id)],
];

/** Returns the scopes in which a document is found: its issuer and its organisation. */
export const scopesOf = ({ issuer, organisation }: Found): TermScope[] => [
  `issuer:${issuer.id}`,
  `organisation:${organisation}`,
];
