import GithubSlugger, { slug } from "github-slugger";
import { Marked } from "marked";
// @ts-types="@types/sanitize-html"
import sanitizeHtml from "sanitize-html";

/** A heading below a page's title. */
export interface Heading {
  /** Its anchor, unique in its page. */
  id: string;
  /** Plain text. */
  text: string;
  /** From 2, the page's own title being 1. */
  level: number;
}

/** Markdown as safe HTML. */
export interface Rendered {
  html: string;
  /** In order. */
  headings: Heading[];
}

/** Ids that the page around the text has already. */
const TAKEN = ["main", "on-this-page"];

/** All that a text may contain; no class, no style, no id, and nothing that loads or runs. */
const ALLOWED: sanitizeHtml.IOptions = {
  // deno-fmt-ignore
  allowedTags: [
    "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "hr", "br", "ul", "ol", "li", "pre", "code",
    "kbd", "table", "thead", "tbody", "tr", "th", "td", "strong", "em", "del", "sub", "sup", "a",
  ],
  allowedAttributes: { a: ["href", "rel"], ol: ["start"], th: ["scope"] },
  allowedSchemes: ["https", "http", "mailto"],
  allowProtocolRelative: false,
  transformTags: {
    h1: "h2",
    th: (tagName) => ({ tagName, attribs: { scope: "col" } }),
    a: (tagName, { href }) => ({ tagName, attribs: linkTo(href) }),
  },
};

/**
 * Renders GitHub-flavoured Markdown to HTML that is safe whatever the text contains. Headings link
 * to themselves, and tables stand in regions that scroll by keyboard too.
 *
 * @param markdown what stands below a page's title; a title in it becomes a second-level heading
 * @example
 * ```ts
 * renderMarkdown("## The salt\n\n32 bytes.").headings; // [{id: "the-salt", text: "The salt", …}]
 * ```
 */
export function renderMarkdown(markdown: string): Rendered {
  const parsed = new Marked().parse(markdown, { async: false });
  return decorate(sanitizeHtml(parsed, ALLOWED));
}

function linkTo(href: string | undefined): Record<string, string> {
  if (href === undefined) return {};
  return /^https?:/i.test(href) ? { href, rel: "noopener" } : { href };
}

const PLACES = /<h([2-6])>(.*?)<\/h\1>|<(\/?)table>/gs;

/** A block of code that is one word, such as a hash: it has to break anywhere. */
const UNBROKEN = /<pre><code>(?=[^\s<]+\n?<\/code>)/g;

/** Adds our own attributes last: safe HTML has none on headings and tables, so no text sets them. */
function decorate(safe: string): Rendered {
  const slugger = new GithubSlugger();
  TAKEN.forEach((id) => slugger.slug(id));
  const headings: Heading[] = [];
  const tables = new Map<string, number>(); // how many stand below headings of one text
  let above = ""; // the text of the last heading, as HTML

  const html = safe.replace(PLACES, (_place, level, inner, closing) => {
    if (closing) return "</table></div>";
    if (level === undefined) {
      const nth = (tables.get(above) ?? 0) + 1;
      tables.set(above, nth);
      return `${region(above, nth)}<table>`;
    }
    above = withoutTags(inner);
    const text = decode(above);
    const id = slugger.slug(slug(text) || "section");
    headings.push({ id, text, level: Number(level) });
    // The whole heading is the link, so that its name stays its text; the sheet draws the mark.
    const content = inner.replace(/<\/?a\b[^>]*>/g, "");
    return `<h${level} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${level}>`;
  });
  return { html: html.replace(UNBROKEN, '<pre class="bytes"><code>'), headings };
}

/** Opens the region of the nth table below such a heading; a region needs a name of its own. */
function region(above: string, nth: number): string {
  const name = ["Table", above.replaceAll('"', "&quot;")].filter(Boolean).join(": ");
  const label = nth === 1 ? name : `${name} (${nth})`;
  return `<div class="table-region" role="region" tabindex="0" aria-label="${label}">`;
}

const withoutTags = (html: string): string => html.replace(/<[^>]*>/g, "");

/** Back from the four entities that the sanitiser writes. */
const decode = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
