/**
 * The words that pages, messages of commands and documents must not show, from `docs/glossary.md`.
 *
 * @module
 */

interface Rule {
  words: RegExp;
  /** The words to write instead. */
  use: string;
  /** The pages and documents that may show them, as `surface path` or `document path`. */
  allowed?: RegExp;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)";
const STANDARD = /^\S+ \/standard/;
/** The standard, what programs call, and documents. */
const TECHNICAL = /^\S+ \/standard|^api |^\S+-mcp |^\S+ \/connect|^document /;
const INTERNAL = /^(workbench|\S+-console) /;

const RULES: readonly Rule[] = [
  {
    words: /\bcheck(s|ed)? (a|the|this|your|its) (record|chain)\b/i,
    use: "verify",
    allowed: STANDARD,
  },
  {
    words: /\bverif(y|ies|ied) (a|the|this|your|its|an) (file|document|address|number)\b/i,
    use: "check (a file), confirm (an address)",
  },
  { words: /\b(inquiry|inquiries|submissions?|registrants?)\b/i, use: "enquiry, holder" },
  {
    words:
      /\bmails\b|\bmailed\b|\b(a|this|that|each|every|latest|one|sign-in|confirmation) mail\b(?! (server|provider))/i,
    use: "email",
  },
  { words: /\bK2\b/, use: "key", allowed: TECHNICAL },
  {
    words: /\bsalts?\b/i,
    use: "random value",
    allowed: TECHNICAL,
  },
  { words: /\btips?\b/i, use: "last hash", allowed: TECHNICAL },
  {
    words: /\bsurfaces?\b(?! Extraction)/i,
    use: "site, service",
    allowed: new RegExp(`${TECHNICAL.source}|${INTERNAL.source}`),
  },
  {
    words: /\b[A-Z]{2,}(_[A-Z0-9]+)+\b/,
    use: "no names of variables",
    allowed: new RegExp(`${TECHNICAL.source}|${INTERNAL.source}`),
  },
  {
    words:
      /\b(hash_generated|(email|sms)_confirmed|k2_delivered|record_verified|access_requested)\b/,
    use: "the plain name of the event",
    allowed: TECHNICAL,
  },
  {
    words: /\bdocument_(viewed|downloaded|printed|verified)\b/,
    use: "the plain name of the event",
    allowed: TECHNICAL,
  },
  { words: new RegExp(`\\b${MONTH} \\d{1,2}(, \\d{4})?\\b`), use: "the date as 23 Nov 2026" },
  { words: /\b20\d\d-\d\d-\d\d\b/, use: "the date as 23 Nov 2026", allowed: TECHNICAL },
  {
    words: new RegExp(`\\b${MONTH} \\d{4},? \\d\\d:\\d\\d\\b(?!:\\d\\d| UTC)`),
    use: "the zone after a time",
  },
];

/** Elements with code, data and the kinds of events, which keep their names. */
const LITERAL =
  /<(script|style|pre|code|textarea)\b[^>]*>.*?<\/\1>|<span class="[^"]*\b(event-kind|kind|away)\b[^"]*"[^>]*>(?:[^<]|<small>[^<]*<\/small>)*<\/span>/gs;
const LABELS = /\s(?:alt|title|placeholder|aria-label)="([^"]*)"/g;

/**
 * Returns the forbidden words that a page shows, with what to write instead.
 *
 * @param place the surface and the path, as `trust /check`
 */
export function wordFaults(html: string, place: string): string[] {
  const body = html.slice(html.indexOf("<body")).replace(LITERAL, " ");
  const labels = Array.from(body.matchAll(LABELS), ([, label]) => label);
  const text = [body.replace(/<[^>]+>/g, " "), ...labels].join(" | ").replace(/\s+/g, " ");
  return textFaults(text, place);
}

/** Messages in a source file: strings and templates with at least two words. */
const MESSAGES = /"((?:[^"\\\n]|\\.)* (?:[^"\\\n]|\\.)*)"|`([^`]* [^`]*)`/g;

/** Returns the forbidden words in the messages of a command's source. Operators know its terms. */
export const commandFaults = (source: string): string[] =>
  Array.from(source.replace(/\/\*.*?\*\//gs, "").matchAll(MESSAGES))
    .flatMap(([, text, template]) => textFaults(text ?? template, "workbench command"));

/** Code, addresses of links, and headings, which other documents link. */
const NAMES = /^ *```.*?^ *```|`[^`]*`|\]\([^)]*\)|^#[^\n]*/gms;

/** Returns the forbidden words in a document in Markdown. */
export const documentFaults = (markdown: string, path: string): string[] =>
  textFaults(markdown.replace(NAMES, " ").replace(/\s+/g, " "), `document ${path}`);

function textFaults(text: string, place: string): string[] {
  return RULES.flatMap(({ words, use, allowed }) => {
    const found = words.exec(text);
    if (found === null || allowed?.test(place)) return [];
    const around = text.slice(Math.max(0, found.index - 40), found.index + found[0].length + 30);
    return [`“${found[0]}” in “${around.trim()}”: ${use}`];
  });
}
