/**
 * The numbers of documents: how they are made, printed, typed and put into addresses.
 *
 * @module
 */
import { DIGITS, readDigits } from "../../base/crockford.ts";
import { unmarked } from "../../base/pasted.ts";

/** 16 characters of 5 bits. */
const LENGTH = 16;

/** The longest text that {@link parseDocumentId} reads. */
const MAX_INPUT = 64;

/** Returns a new document id: 80 random bits. */
export const newDocumentId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => DIGITS[byte & 31]).join(
    "",
  );

/**
 * Returns the id that a person typed or a link contains, in any case, with or without hyphens and
 * spaces. `O` is read as 0, `I` and `L` as 1.
 *
 * @returns null if it is not an id
 *
 * @example
 * ```ts
 * parseDocumentId("7k3m-9q2x-b4tw-0zra"); // "7K3M9Q2XB4TW0ZRA"
 * ```
 */
export function parseDocumentId(text: string): string | null {
  if (text.length > MAX_INPUT) return null;
  const id = readDigits(text);
  return id.length === LENGTH && Array.from(id).every((letter) => DIGITS.includes(letter))
    ? id
    : null;
}

/** The longest text that {@link findDocumentId} reads. */
export const MAX_NUMBER_TEXT = 500;

/**
 * Returns the id in a text that a person typed or pasted: the id, also after a word such as
 * `Document`, or the address of a document's page, also with the
 * number of a page. Null if there is none.
 */
export function findDocumentId(text: string): string | null {
  if (text.length > MAX_NUMBER_TEXT) return null;
  // Issued copies print the number of the page after the id.
  const pasted = unmarked(text);
  const typed = /\/d\/([^/?#]*)/i.exec(pasted)?.[1] ?? pasted.replace(/\s*\/\s*\d*$/, "");
  return parseDocumentId(typed) ?? parseDocumentId(typed.replace(/^\s*[a-z]+[.:]?\s+/i, ""));
}

/**
 * Returns the id that a text contains most often in addresses of documents' pages, as issued copies
 * print them. Other numbers are ignored, because a text may contain the number of a card or account.
 *
 * @param documentsUrl the address of a document's page without its id
 */
export function printedId(text: string, documentsUrl: string): string | null {
  const start = documentsUrl.replace(/^https?:\/\//, "").toLowerCase();
  // An address may be broken into lines.
  const [, ...rests] = text.replace(/\s/g, "").toLowerCase().split(start);
  const counts = new Map<string, number>();
  for (const rest of rests) {
    const id = parseDocumentId(/^(?:[\da-z]-?){16}/.exec(rest)?.[0] ?? "");
    if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

/** Returns an id in groups of four for people to read: `7K3M-9Q2X-B4TW-0ZRA`. */
export const formatDocumentId = (id: string): string => id.match(/.{1,4}/g)!.join("-");

/**
 * Returns the path of a document's page, with the number as people read it. QR codes have it without hyphens,
 * because they would be larger.
 */
export const documentPath = (id: string): string => `/d/${formatDocumentId(id)}`;

/**
 * Returns the path of the link that confirms an access request, without its token. It names the document,
 * so that the page can lead there when the link no longer works.
 */
export const requestPath = (document: string): string => `/d/request?document=${document}`;

/** Returns the document that the URL of a mailed link names; null if it names none. */
export const documentOf = ({ searchParams }: URL): string | null =>
  parseDocumentId(searchParams.get("document") ?? "");
