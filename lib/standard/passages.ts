/**
 * Markdown as passages of plain text: one for each heading, paragraph, list
 * item, table row and block of code. Only for finding and quoting; what a page
 * shows is rendered from the Markdown itself.
 */
export interface Passage {
  text: string;
  heading: boolean;
}

const BREAK = /\n\s*\n|\n(?=\s*(?:\||[-*] |\d+\. |```))/;
const NOTHING = /^[|\s:-]*$/; // the rule under a table's head, or blanks

/** Splits Markdown into its passages, in order. */
export const passagesOf = (markdown: string): Passage[] =>
  markdown.split(BREAK).filter((part) => !NOTHING.test(part)).map((part) => ({
    text: plain(part.trim()),
    heading: part.startsWith("#"),
  })).filter(({ text }) => text !== "");

const plain = (part: string): string =>
  part
    .replace(/^(#+|[-*]|\d+\.|```\w*)\s+/, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1") // links to their text
    .replace(/\*\*|`+/g, "")
    .replace(/(?<!\w)_([^_\s][^_]*)_(?!\w)/g, "$1") // emphasis
    .replace(/^\s*\|\s*|\s*\|\s*$/g, "")
    .replace(/\s*\|\s*/g, " · ")
    .replace(/\s+/g, " ")
    .trim();

/**
 * Cuts a text to at most `length` characters around the place where the first
 * of some words stands, at blanks, and marks what is left out with an ellipsis.
 */
export function clip(
  text: string,
  words: readonly string[],
  length: number,
): string {
  if (text.length <= length) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((i) => i >= 0);
  const room = length - 2;
  const start = Math.min(
    Math.max(0, Math.min(...places, lower.length) - Math.floor(length / 4)),
    text.length - room,
  );
  let cut = text.slice(start, start + room);
  if (start > 0) cut = "…" + cut.replace(/^\S*\s/, "");
  if (start + room < text.length) cut = cut.replace(/\s\S*$/, "") + "…";
  return cut;
}
