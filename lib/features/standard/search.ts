/** Full-text search of the standard, with excerpts and highlighted words. */
import MiniSearch, { type SearchResult } from "minisearch";
import type { StandardSection } from "./sections.ts";

/** A section that a search has found. */
export interface StandardHit {
  section: Pick<StandardSection, "id" | "number" | "title">;
  /** Relevance: higher is better. Comparable within one search only. */
  score: number;
  /** The best matching passage: plain text of at most 240 characters. */
  excerpt: string;
}

/** Finds sections, the best first. A query without words finds none. */
export type StandardSearch = (query: string, limit?: number) => StandardHit[];

const MAX_EXCERPT_LENGTH = 240;

/** The maximum number of words to search for. It is limited because each word scans the index. */
const MAX_QUERY_WORDS = 10;

/** Returns the distinct words of a query, split as the index splits texts. */
const queryWords = (query: string): string[] => {
  const words = query.toLowerCase().split(/[\p{Z}\p{P}\n\r]+/u).filter(Boolean);
  return [...new Set(words)].slice(0, MAX_QUERY_WORDS);
};

/**
 * Builds a full-text search over sections. It matches the beginnings of words and, in longer words,
 * small misspellings. A title weighs more than the text.
 */
export function createSearch(sections: readonly StandardSection[]): StandardSearch {
  const entries = new Map(
    sections.map((section) => [section.id, { section, passages: passagesOf(section.markdown) }]),
  );
  const index = new MiniSearch({
    fields: ["title", "summary", "text"],
    searchOptions: {
      boost: { title: 4, summary: 2 },
      tokenize: queryWords,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 ? 0.2 : false,
    },
  });
  for (const { section: { id, title, summary }, passages } of entries.values()) {
    index.add({ id, title, summary, text: passages.map(({ text }) => text).join("\n") });
  }
  return (query, limit = 5) =>
    index.search(query).slice(0, Math.max(0, limit)).map((result) => {
      const { section: { id, number, title }, passages } = entries.get(result.id)!;
      const excerpt = excerptOf(passages, result);
      return { section: { id, number, title }, score: result.score, excerpt };
    });
}

/** Returns the passage that contains the most words of the query. Fuzzy matches count less. */
function excerptOf(
  passages: readonly Passage[],
  { queryTerms, terms }: SearchResult,
): string {
  const scores = passages.map(({ lower, heading }): number => {
    const count = (words: readonly string[]) => words.filter((word) => lower.includes(word)).length;
    return heading ? 0 : 3 * count(queryTerms) + count(terms);
  });
  const best = passages[scores.indexOf(Math.max(...scores))];
  return clip(best.text, [...queryTerms, ...terms], MAX_EXCERPT_LENGTH);
}

/** A heading, paragraph, list item, table row or code block as plain text. */
interface Passage {
  text: string;
  /** The text in lower case, which each search reads. */
  lower: string;
  heading: boolean;
}

const BREAK = /\n\s*\n|\n(?=\s*(?:\||[-*] |\d+\. |```))/;
const EMPTY = /^[|\s:-]*$/; // blanks, or the line below a table's header

/** Splits Markdown into its passages, in order. They are for searching and quoting only. */
export const passagesOf = (markdown: string): Passage[] =>
  markdown.split(BREAK).filter((part) => !EMPTY.test(part)).map((part) => {
    const text = toPlainText(part.trim());
    return { text, lower: text.toLowerCase(), heading: part.startsWith("#") };
  }).filter(({ text }) => text !== "");

const toPlainText = (part: string): string =>
  part
    .replace(/^(#+|[-*]|\d+\.|```\w*)\s+/, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1") // links become their text
    .replace(/\*\*|`+/g, "")
    .replace(/(?<!\w)_([^_\s][^_]*)_(?!\w)/g, "$1") // emphasis
    .replace(/^\s*\|\s*|\s*\|\s*$/g, "")
    .replace(/\s*\|\s*/g, " · ")
    .replace(/\s+/g, " ")
    .trim();

/**
 * Cuts a text at spaces to at most `length` characters around the first match of any of the words,
 * and marks omissions with an ellipsis.
 */
export function clip(text: string, words: readonly string[], length: number): string {
  if (text.length <= length) return text;
  const lower = text.toLowerCase();
  const positions = words.map((word) => lower.indexOf(word)).filter((i) => i >= 0);
  const room = length - 2;
  const start = Math.min(
    Math.max(0, Math.min(...positions, lower.length) - Math.floor(length / 4)),
    text.length - room,
  );
  let cut = text.slice(start, start + room);
  if (start > 0) cut = "…" + cut.replace(/^\S*\s/, "");
  if (start + room < text.length) cut = cut.replace(/\s\S*$/, "") + "…";
  return cut;
}

/** The maximum length of a query; the rest is ignored. */
export const MAX_QUERY_LENGTH = 100;

export const readQuery = ({ searchParams }: URL): string =>
  (searchParams.get("q") ?? "").slice(0, MAX_QUERY_LENGTH).trim();

export interface TextPiece {
  text: string;
  match: boolean;
}

/**
 * Splits a text into words that begin with a word of the query, and the text between them.
 *
 * @example
 * ```ts
 * highlight("The salts.", "salt"); // "The ", "salts" (match), "."
 * ```
 */
export function highlight(text: string, query: string): TextPiece[] {
  const words = query.match(/[\p{L}\p{N}_]+/gu);
  if (words === null) return [{ text, match: false }];
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_])((?:${words.join("|")})[\\p{L}\\p{N}_]*)`,
    "giu",
  );
  return text.split(pattern)
    .map((piece, i) => ({ text: piece, match: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
