/** The layout of long texts in Markdown, such as guides and the standard, with a table of contents. */
import type { ComponentChildren } from "preact";
import type { Heading } from "../lib/features/standard/mod.ts";

/** The least number of sections that a page lists above its text on narrow screens. */
const MANY_SECTIONS = 6;

interface ReadingProps {
  title: string;
  /** The text, rendered from Markdown. */
  html: string;
  headings: readonly Heading[];
  /** Above the title. */
  before?: ComponentChildren;
  /** Between the title and the text. */
  opening?: ComponentChildren;
  /** Below the contents, beside the text. */
  beside?: ComponentChildren;
}

/** A page of rendered Markdown, with its contents beside it. It needs `published.css`. */
export function Reading({ title, html, headings, before, opening, beside }: ReadingProps) {
  const sections = headings.filter(({ level }) => level === 2);
  return (
    <article class="reading-page">
      <div class="published-text prose">
        {before}
        <h1>{title}</h1>
        {opening}
        {sections.length >= MANY_SECTIONS && (
          <details class="published-contents narrow pad-3-4 below-5 framed rounded">
            <summary class="bold">Contents</summary>
            <Contents sections={sections} />
          </details>
        )}
        <div class="markdown" dangerouslySetInnerHTML={{ __html: html }} />
      </div>
      <div class="published-side">
        <nav class="published-contents wide" aria-labelledby="on-this-page">
          <h2 class="below-2" id="on-this-page">On this page</h2>
          <Contents sections={sections} />
        </nav>
        {beside}
      </div>
    </article>
  );
}

const Contents = ({ sections }: { sections: readonly Heading[] }) => (
  <ul class="plain">
    {sections.map(({ id, text }) => (
      <li key={id}>
        <a class="muted" href={`#${id}`}>{text}</a>
      </li>
    ))}
  </ul>
);
