import { type Heading, renderMarkdown } from "../mod.ts";

/** The parts of a published text that a page shows. */
interface RenderedPage {
  title: string;
  /** The first paragraph, without its markup. */
  description: string;
  /** Everything below the title. */
  html: string;
  headings: Heading[];
}

/** Renders the Markdown of a page: a title as its heading, then its text. */
export function renderPage(markdown: string): RenderedPage {
  const [heading, ...rest] = markdown.split(/\n{2,}/);
  const { html, headings } = renderMarkdown(rest.join("\n\n"));
  const [, first] = /<p>(.*?)<\/p>/s.exec(html) ?? [];
  return {
    title: heading.replace(/^# /, "").trim(),
    description: plain(first ?? ""),
    html,
    headings,
  };
}

const plain = (html: string): string =>
  html.replace(/<[^>]*>/g, "").replaceAll("&lt;", "<").replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&");
