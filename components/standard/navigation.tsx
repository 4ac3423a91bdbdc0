import type { Standard, StandardPage, StandardSection } from "../../lib/features/standard/mod.ts";
import type { Heading } from "../../lib/features/standard/render.ts";

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

/** The sections to read for each goal, in order. */
const READING_PATHS: readonly { goal: string; ids: readonly string[] }[] = [
  { goal: "To check a chain", ids: ["verification", "heads", "test-vectors"] },
  { goal: "To publish records", ids: ["records", "event-chain", "privacy"] },
  { goal: "To be found by agents", ids: ["discovery"] },
];

export function ReadingPaths({ standard }: { standard: Standard }) {
  return (
    <aside class="reading-paths" aria-labelledby="where-to-begin">
      <h2 id="where-to-begin">Where to begin</h2>
      <dl>
        {READING_PATHS.map(({ goal, ids }) => (
          <div>
            <dt>{goal}</dt>
            {ids.map((id) => (
              <dd>
                <a href={`/standard/${id}`}>{standard.get(id)!.title}</a>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </aside>
  );
}

/**
 * The sections next to a text. Below the current one are its headings, for screens that are too
 * narrow for a second column.
 */
export function SectionNav(
  { sections, page }: { sections: readonly StandardSection[]; page: StandardPage },
) {
  return (
    <nav class="section-nav" aria-label="Contents of the standard">
      <ol class="plain">
        {sections.map(({ id, number, title }) => {
          const current = id === page.section.id;
          return (
            <li>
              <a href={`/standard/${id}`} aria-current={current ? "page" : undefined}>
                <span class="number">{number}</span>
                {title}
              </a>
              {current && <AnchorList headings={page.headings} />}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

export function AnchorList({ headings }: { headings: readonly Heading[] }) {
  return (
    <ul class="anchor-list">
      {headings.map(({ id, text, level, number }) => (
        <li class={`level-${level}`}>
          <a href={`#${id}`}>
            {number && <span class="number">{number}</span>} {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Neighbours({ previous, next }: Pick<StandardPage, "previous" | "next">) {
  return (
    <nav class="neighbours" aria-label="Previous and next section">
      {previous && (
        <a class="previous" rel="prev" href={`/standard/${previous.id}`}>
          <span>← Previous</span>
          {previous.title}
        </a>
      )}
      {next && (
        <a class="next" rel="next" href={`/standard/${next.id}`}>
          <span>Next →</span>
          {next.title}
        </a>
      )}
    </nav>
  );
}
