/** Something that differs from run to run, and so is removed before observations are compared. */
interface Removed {
  what: string;
  pattern: RegExp;
  /** The characters of a match that are replaced by 0, so that its form remains; null to remove it whole. */
  characters: RegExp | null;
}

const DIGITS = /\d/g;
const HEX = /[0-9a-f]/gi;
const ALL = /\S/g;
/**
 * The patterns that are removed, in this order: from the lines of texts, and from pages before their pictures are
 * taken. Days are kept, because the clock of a filled store is fixed.
 */
export const REMOVED: readonly Removed[] = [
  {
    what: "the last characters of API keys",
    pattern: /(?<=gh_(?:live|test)_…)\w{4}|(?<="key":\["api_keys",.*")(?!live|test)\w{4}(?=")/g,
    characters: ALL,
  },
  {
    what: "tokens, keys, signatures and ids in Base64url",
    pattern: /(?<![\w-])(?:[\w-]{22}|[\w-]{43}|[\w-]{64,})(?![\w-])/g,
    characters: ALL,
  },
  { what: "hashes and signatures in Base64", pattern: /[\w+/]{40,}=+/g, characters: ALL },
  {
    what: "keys of logs and witnesses",
    pattern: /(?<=\+[0-9a-f]{8}\+)[\w+/]{44}/g,
    characters: ALL,
  },
  {
    what: "shortened ids of keys",
    pattern: /(?<![\w-])(?![A-Z]?[a-z]{7}…|gh_)[\w-]{8}(?=…)/g,
    characters: ALL,
  },
  { what: "UUIDs", pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, characters: HEX },
  {
    what: "times, except for days in pages",
    pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?|\b\d\d?:\d\d(?::\d\d)?\b/g,
    characters: DIGITS,
  },
  {
    what: "seconds and milliseconds since 1970",
    pattern: /\b1[78]\d{8}(?:\d{3})?\b/g,
    characters: DIGITS,
  },
  {
    what: "hashes, whole, shortened and in groups",
    pattern:
      /(?<![0-9a-z])[0-9a-f]*…[0-9a-f]{4}\b|\b[0-9a-f]{8,}\b|\b[0-9a-f]{4}(?: [0-9a-f]{4})+\b|^[0-9a-f]{4}$/g,
    characters: HEX,
  },
  { what: "ids of messages", pattern: /\bmsg_[0-9A-Z]{26}\b/g, characters: ALL },
  {
    what: "ids of documents and codes in Crockford's Base32, also in groups of four",
    pattern:
      /(?<![\w-])(?:[0-9A-HJKMNP-TV-Z]{4}(?:[ -]?[0-9A-HJKMNP-TV-Z]{4}){3,}(?:[ -]?[0-9A-HJKMNP-TV-Z]{2})?|[0-9a-hjkmnp-tv-z]{4}(?:-[0-9a-hjkmnp-tv-z]{4}){3,})(?![\w-])/g,
    characters: ALL,
  },
  { what: "amounts of memory", pattern: /\d+(?:\.\d+)?(?= [KMG]iB)/g, characters: null },
  {
    what: "the difference of the bank's clock",
    pattern: /(?<="Bank: no difference",)[\d.]+/g,
    characters: null,
  },
  { what: "numbers of entries of the log", pattern: /(?<=\bentry )\d+(?= of)/gi, characters: null },
  { what: "ports", pattern: /(?<=localhost|127\.0\.0\.1):\d+/g, characters: DIGITS },
  { what: "the number of the store's format", pattern: /\bformat \d+\b/gi, characters: DIGITS },
  {
    what: "the number of the store's format in its row",
    pattern: /(?<="key":\["format"\].*)\d+/g,
    characters: DIGITS,
  },
  {
    what: "stored bytes, whose length depends on ids if they are compressed",
    pattern: /(?<="ArrayBuffer",")[^"]+/g,
    characters: null,
  },
  {
    what: "sizes of issued copies, which are compressed",
    pattern: /(?<="application\/pdf".*,)\d+(?=,\d+,"current")/g,
    characters: DIGITS,
  },
  {
    what: "rows whose keys are parts of hashes",
    pattern: /^.*"key":\["changes",.*$/g,
    characters: null,
  },
  {
    what: "the number of chains whose hashes begin with the same digit",
    pattern: /(?<="key":\["jobs","chains\/\d+"\].*")\d+(?= checked)/g,
    characters: DIGITS,
  },
  {
    what: "lanes of messages, which depend on ids",
    pattern: /(?<=[0-9a-f]{12})\/\d+\b/g,
    characters: DIGITS,
  },
];

/** Removes from a text what differs from run to run. */
export const removeFrom = (text: string): string =>
  REMOVED.reduce(
    (rest, { pattern, characters }) =>
      rest.replaceAll(pattern, (found) =>
        characters === null ? "" : found.replaceAll(characters, "0")),
    text,
  );
