import MiniSearch, { type SearchResult } from "minisearch";
import { clip, type Passage, passagesOf } from "./passages.ts";
import type { StandardSection } from "./sections.ts";

/** A section that a query found. */
export interface StandardHit {
  section: Pick<StandardSection, "id" | "number" | "title">;
  /** Relevance: higher is better; comparable within one search only. */
  score: number;
  /** The passage that fits best, plain text of at most 240 characters. */
  excerpt: string;
}

/** Finds sections, the best first; a query without a word finds none. */
export type StandardSearch = (query: string, limit?: number) => StandardHit[];

const EXCERPT_LENGTH = 240;

/** The most words of a query that are searched for: each costs a walk through the index. */
const MOST_WORDS = 10;

/** The different words of a query, split as the index splits texts. */
const queryWords = (query: string): string[] => {
  const words = query.toLowerCase().split(/[\p{Z}\p{P}\n\r]+/u).filter(Boolean);
  return [...new Set(words)].slice(0, MOST_WORDS);
};

/**
 * Builds a full-text search over sections. It matches beginnings of words and,
 * in longer words, small misspellings; a title counts more than a text.
 */
export function createSearch(
  sections: readonly StandardSection[],
): StandardSearch {
  const entries = new Map(sections.map((section) => {
    const passages = passagesOf(section.markdown);
    return [section.id, { section, passages }];
  }));
  const index = new MiniSearch({
    fields: ["title", "summary", "text"],
    searchOptions: {
      boost: { title: 4, summary: 2 },
      tokenize: queryWords,
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 ? 0.2 : false,
    },
  });
  for (
    const { section: { id, title, summary }, passages } of entries.values()
  ) {
    const text = passages.map((passage) => passage.text).join("\n");
    index.add({ id, title, summary, text });
  }

  return (query, limit = 5) =>
    index.search(query).slice(0, Math.max(0, limit)).map((result) => {
      const { section: { id, number, title }, passages } = entries.get(
        result.id,
      )!;
      return {
        section: { id, number, title },
        score: result.score,
        excerpt: excerpt(passages, result),
      };
    });
}

/** The passage with the most words of the query; near words count for less. */
function excerpt(
  passages: readonly Passage[],
  { queryTerms, terms }: SearchResult,
): string {
  const worth = ({ text, heading }: Passage): number => {
    const lower = text.toLowerCase();
    const count = (words: readonly string[]) => words.filter((word) => lower.includes(word)).length;
    return heading ? 0 : 3 * count(queryTerms) + count(terms);
  };
  const best = passages.reduce((a, b) => worth(b) > worth(a) ? b : a);
  return clip(best.text, [...queryTerms, ...terms], EXCERPT_LENGTH);
}
