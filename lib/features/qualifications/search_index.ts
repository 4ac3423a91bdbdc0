/** The full-text index behind the search for qualifications. */
import MiniSearch from "minisearch";
import { packageName, type Qualification } from "./qualification.ts";

/** The digits that people type for levels, and the numerals in titles. */
const NUMERALS: Readonly<Record<string, string>> = { "1": "i", "2": "ii", "3": "iii", "4": "iv" };
const ROMAN = new Set(Object.values(NUMERALS));
/** The maximum number of words to search for. It is limited because each word scans the index. */
const MAX_WORDS = 10;
const STOP_WORDS = new Set(["a", "an", "and", "for", "in", "of", "the"]);

/**
 * Indexes qualifications for search by code prefix, title words and training package. The first
 * search builds the index.
 *
 * @param qualifications in the order of a listing without a query
 * @returns a function that returns all matches of a query: first those whose code starts with it,
 * then those that match every word, best match first. A word matches as a prefix or, from five
 * letters on, with a typo.
 */
export function createSearchIndex(
  qualifications: readonly Qualification[],
): (query: string) => readonly Qualification[] {
  const byCode = new Map(qualifications.map((each) => [each.code, each]));
  let index: MiniSearch<Qualification> | undefined;
  return (query) => {
    const prefix = query.replace(/\s+/g, "").toUpperCase();
    if (!prefix) return qualifications;
    const byPrefix = new Set(qualifications.filter(({ code }) => code.startsWith(prefix)));
    index ??= indexOf(qualifications, byCode);
    const byRelevance = index.search(query).map(({ id }) => byCode.get(id)!);
    return [...byPrefix.union(new Set(byRelevance))];
  };
}

function indexOf(
  qualifications: readonly Qualification[],
  byCode: ReadonlyMap<string, Qualification>,
): MiniSearch<Qualification> {
  const index = new MiniSearch<Qualification>({
    idField: "code",
    fields: ["code", "title", "training_package"],
    extractField: (qualification: Qualification, field) =>
      field === "training_package"
        // The full title would match every search for "training".
        ? packageName(qualification)
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
  return index;
}

/** Splits a query into distinct words, without stop words unless it has nothing else. */
function queryWords(query: string): string[] {
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)
    .map((word) => NUMERALS[word] ?? word);
  const significant = words.filter((word) => !STOP_WORDS.has(word));
  return [...new Set(significant.length > 0 ? significant : words)].slice(0, MAX_WORDS);
}
