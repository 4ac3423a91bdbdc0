import type { StandardSection } from "../../lib/standard/mod.ts";

/** All sections with what each is about. */
export function TableOfContents({ sections }: { sections: readonly StandardSection[] }) {
  return (
    <nav class="standard-contents" aria-labelledby="contents">
      <h2 id="contents">Contents</h2>
      <ol class="section-list">
        {sections.map(({ id, number, title, summary }) => (
          <li>
            <span class="number">{number}</span>
            <a class="title" href={`/standard/${id}`}>{title}</a>
            <p>{summary}</p>
          </li>
        ))}
      </ol>
    </nav>
  );
}
