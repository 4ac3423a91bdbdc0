import { parseRefresh } from "./headers.ts";
import type { References } from "./references.ts";

type Edit = (text: string, references: References) => string;

const reference: Edit = (text, references) => references.inPage(text);
/**
 * `srcset`: addresses with descriptors between commas. An address may hold commas, but ends in none.
 * No part of the pattern can fail once it began, so that it never goes back.
 */
const CANDIDATE =
  /([^\t\n\f\r ,](?:[^\t\n\f\r ]*[^\t\n\f\r ,])?)([\t\n\f\r ][^,(]*(?:\([^)]*\)?[^,(]*)*)?/g;
const candidates: Edit = (text, references) =>
  text.replace(CANDIDATE, (_, address, after = "") => references.inPage(address) + after);
const refresh: Edit = (text, references) => {
  const { start, reference, end } = parseRefresh(text);
  return reference === "" ? text : start + references.inPage(reference) + end;
};
/** Would tell others the page's address, by a ping or as the referrer. */
const nothing: Edit = () => "";

const EDITS: Record<string, Edit> = {
  href: reference,
  "xlink:href": reference,
  src: reference,
  action: reference,
  formaction: reference,
  poster: reference,
  background: reference,
  cite: reference,
  longdesc: reference,
  srcset: candidates,
  imagesrcset: candidates,
  ping: nothing,
  referrerpolicy: nothing,
};

/** A start tag's name and attributes, decoded, the names in lower case. */
export interface Tag {
  name: string;
  attributes: Record<string, string>;
}

/**
 * What becomes of an attribute's text, or null for one that holds no link.
 *
 * @param attribute its name in lower case
 */
export function editOf(tag: Tag, attribute: string): Edit | null {
  if (Object.hasOwn(EDITS, attribute)) return EDITS[attribute];
  if (attribute === "data" && tag.name === "object") return reference;
  if (attribute === "manifest" && tag.name === "html") return reference;
  if (attribute === "content" && tag.name === "meta") {
    if (tag.attributes["http-equiv"]?.toLowerCase() === "refresh") return refresh;
    if (tag.attributes.name?.toLowerCase() === "referrer") return () => "no-referrer";
  }
  return null;
}
