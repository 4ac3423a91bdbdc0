/** Renders the standard's Markdown to safe HTML with anchors, heading numbers and scrollable tables. */
import GithubSlugger, { slug } from "github-slugger";
import { Marked } from "marked";
// @ts-types="@types/sanitize-html"
import sanitizeHtml from "sanitize-html";

/** A heading of rendered Markdown. */
export interface Heading {
  /** Its anchor, unique in the page. */
  id: string;
  text: string;
  /** From 2; the page's title is 1. */
  level: number;
  /** Such as `5.2`, if the page's headings are numbered. */
  number?: string;
}

interface RenderOptions {
  /** The number of the page, which begins the numbers of its headings. */
  number?: number;
  /** The section of a longer page that the text is: it begins all ids, and headings are a level lower. */
  section?: { id: string; title: string };
}

/** Rendered Markdown, with its headings. */
export interface Rendered {
  html: string;
  headings: Heading[];
}

/** Ids that the rest of the page uses. */
const RESERVED_IDS = ["main", "on-this-page"];

/** The allowed elements and attributes; no classes, styles, ids, scripts or external resources. */
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
    a: (tagName, { href }) => ({ tagName, attribs: linkAttributes(href) }),
  },
};

/**
 * Renders GitHub-flavoured Markdown to HTML that is safe for any input. Headings link to themselves,
 * and tables are in regions that can be scrolled by keyboard.
 *
 * Code blocks are in wrappers for copy buttons.
 *
 * @param markdown the text below a page's title; a title in it becomes a second-level heading
 */
export function renderMarkdown(markdown: string, options: RenderOptions = {}): Rendered {
  const parsed = new Marked().parse(markdown, { async: false });
  return addAttributes(sanitizeHtml(parsed, ALLOWED), options);
}

function linkAttributes(href: string | undefined): Record<string, string> {
  if (href === undefined) return {};
  return /^https?:/i.test(href) ? { href, rel: "noopener" } : { href };
}

const HEADING_OR_TABLE = /<h([2-6])>(.*?)<\/h\1>|<(\/?)table>/gs;

/** A code block, and whether it is a single word, such as a hash, which may break anywhere. */
const CODE = /<pre><code>(?=([^\s<]+\n?<\/code>)?)/g;

/**
 * Adds anchors and table regions. This runs after sanitising, which removes all attributes from
 * headings and tables, so the Markdown cannot set them.
 */
function addAttributes(safe: string, { number, section }: RenderOptions): Rendered {
  const slugger = new GithubSlugger();
  RESERVED_IDS.forEach((id) => slugger.slug(id));
  const numbers = createNumbers(number);
  const headings: Heading[] = [];
  const tableCounts = new Map<string, number>(); // by the text of the heading above
  let above = ""; // the text of the last heading, as HTML

  const html = safe.replace(HEADING_OR_TABLE, (_match, level, inner, closing) => {
    if (closing) return "</table></div>";
    if (level === undefined) {
      const nth = (tableCounts.get(above) ?? 0) + 1;
      tableCounts.set(above, nth);
      return `${openRegion([section?.title ?? "", above], nth)}<table>`;
    }
    above = inner.replace(/<[^>]*>/g, "");
    const text = decodeEntities(above);
    const own = slugger.slug(slug(text) || "section");
    const id = section === undefined ? own : `${section.id}-${own}`;
    const shown = numbers(Number(level));
    const to = section === undefined ? Number(level) : Math.min(Number(level) + 1, 6);
    headings.push({ id, text, level: to, ...shown === undefined ? {} : { number: shown } });
    // The whole heading is the link, so that its accessible name is its text. CSS draws the marker.
    const content = inner.replace(/<\/?a\b[^>]*>/g, "");
    const label = shown === undefined ? content : `<span class="number">${shown}</span> ${content}`;
    return `<h${to} id="${id}"><a class="anchor" href="#${id}">${label}</a></h${to}>`;
  });
  return { html: wrapCode(html), headings };
}

/** Returns a function that numbers the headings of a page: `5.1` at level 2, `5.1.1` at level 3. */
function createNumbers(page: number | undefined): (level: number) => string | undefined {
  let [second, third] = [0, 0];
  return (level) => {
    if (page === undefined || level > 3) return undefined;
    if (level === 3) return `${page}.${second}.${++third}`;
    third = 0;
    return `${page}.${++second}`;
  };
}

const wrapCode = (html: string): string =>
  html.replace(
    CODE,
    (_match, word) =>
      `<div class="code-sample"><pre${word === undefined ? "" : ' class="bytes"'}><code>`,
  )
    .replaceAll("</pre>", "</pre></div>");

/** Opens the region of the nth table below a heading. Each region needs its own name. */
function openRegion(above: string[], nth: number): string {
  const name = ["Table", ...above.map((text) => text.replaceAll('"', "&quot;"))]
    .filter(Boolean).join(": ");
  const label = nth === 1 ? name : `${name} (${nth})`;
  return `<div class="table-region" role="region" tabindex="0" aria-label="${label}">`;
}

/** Decodes the four entities that the sanitiser writes. */
const decodeEntities = (html: string): string =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
