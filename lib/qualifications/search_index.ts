import MiniSearch from "minisearch";
import type { Qualification } from "./qualification.ts";

/** How people write levels, and how titles do. */
const NUMERALS: Readonly<Record<string, string>> = {
  "1": "i",
  "2": "ii",
  "3": "iii",
  "4": "iv",
};
const ROMAN = new Set(Object.values(NUMERALS));
/** The most words of a query that are searched for: each costs a walk through the index. */
const MOST_WORDS = 10;
/** Words that say nothing beside others: "certificate of carpentry" still means carpentry. */
const STOP_WORDS = new Set(["a", "an", "and", "for", "in", "of", "the"]);

/**
 * Indexes qualifications for search by code prefix, title words and training package.
 *
 * @param qualifications in the order that a listing without a query has
 * @returns a function from a query to all its matches: code prefixes first, then every word must
 * match (as a prefix or, from five letters on, with a slip of the pen), best first
 */
export function createSearchIndex(
  qualifications: readonly Qualification[],
): (query: string) => readonly Qualification[] {
  const byCode = new Map(qualifications.map((each) => [each.code, each]));
  const index = new MiniSearch({
    idField: "code",
    fields: ["code", "title", "training_package"],
    extractField: (qualification: Qualification, field) =>
      field === "training_package"
        // "Training Package" ends every such title, and would match every search for training.
        ? qualification.training_package.title.replace(/ Training Package$/, "")
        : qualification[field as "code" | "title"],
    searchOptions: {
      combineWith: "AND",
      tokenize: queryWords,
      prefix: (word) => !ROMAN.has(word),
      fuzzy: (word) => word.length > 4 && !/\d/.test(word) ? 0.2 : false,
      boost: { code: 4, title: 2 },
      boostDocument: (code) => byCode.get(code)?.status === "superseded" ? 0.8 : 1,
    },
  });
  index.addAll(qualifications);

  return (query) => {
    const prefix = query.replace(/\s+/g, "").toUpperCase();
    if (!prefix) return qualifications;
    const byPrefix = new Set(
      qualifications.filter(({ code }) => code.startsWith(prefix)),
    );
    const byRelevance = index.search(query).map(({ id }) => byCode.get(id)!);
    return [...byPrefix.union(new Set(byRelevance))];
  };
}

function queryWords(query: string): string[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)
    .map((word) => NUMERALS[word] ?? word);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, MOST_WORDS);
}
