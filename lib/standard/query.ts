import { z } from "zod";

/** The most characters of a query that are looked at. */
export const QUERY_LENGTH = 100;

const Query = z.string().transform((text) => text.slice(0, QUERY_LENGTH).trim()).catch("");

/** What a reader asked for with `?q=`, or an empty text. */
export const readQuery = (url: URL): string => Query.parse(url.searchParams.get("q"));

/** A piece of a text, and whether it is one of the words that were searched for. */
export interface Piece {
  text: string;
  found: boolean;
}

/**
 * Splits a text where words of a query begin in it, for them to be marked.
 *
 * @example
 * ```ts
 * findWords("The salts.", "salt"); // "The ", "salts" (found), "."
 * ```
 */
export function findWords(text: string, query: string): Piece[] {
  const words = query.match(/[\p{L}\p{N}_]+/gu);
  if (words === null) return [{ text, found: false }];
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])((?:${words.join("|")})[\\p{L}\\p{N}_]*)`,
    "giu",
  );
  return text.split(pattern)
    .map((piece, i) => ({ text: piece, found: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
