/** The contents, reading paths, headings and neighbours that lead through the standard. */
import type { Standard, StandardPage, StandardSection } from "../../lib/features/standard/mod.ts";
import type { Heading } from "../../lib/features/standard/render.ts";

export function TableOfContents({ sections }: { sections: readonly StandardSection[] }) {
  return (
    <nav class="standard-contents pad-top-4" aria-labelledby="contents">
      <h2 class="below-3" id="contents">Contents</h2>
      <ol class="section-list below-4">
        {sections.map(({ id, number, title, summary }) => (
          <li class="stack baseline">
            <span class="number">{number}</span>
            <a class="title ink" href={`/standard/${id}`}>{title}</a>
            <p class="flush muted anywhere">{summary}</p>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The sections to read for each goal, in order. */
const READING_PATHS: readonly { goal: string; ids: readonly string[] }[] = [
  { goal: "To verify a chain", ids: ["verification", "heads", "test-vectors"] },
  { goal: "To publish records", ids: ["records", "event-chain", "privacy"] },
  { goal: "To be found by agents", ids: ["discovery"] },
];

export function ReadingPaths({ standard }: { standard: Standard }) {
  return (
    <aside class="reading-paths pad-top-4 above-6 lined" aria-labelledby="where-to-begin">
      <h2 class="below-3 text-large" id="where-to-begin">Where to begin</h2>
      <dl class="stack flush text-medium">
        {READING_PATHS.map(({ goal, ids }) => (
          <div>
            <dt class="below-1 muted">{goal}</dt>
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
              <a
                class="muted text-medium"
                href={`/standard/${id}`}
                aria-current={current ? "page" : undefined}
              >
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
          <a class="muted" href={`#${id}`}>
            {number && <span class="number">{number}</span>} {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Neighbours({ previous, next }: Pick<StandardPage, "previous" | "next">) {
  return (
    <nav class="neighbours stack gap-4 pad-top-5 lined" aria-label="Previous and next section">
      {previous && (
        <a
          class="previous flex column pad-3-4 framed rounded ink bold"
          rel="prev"
          href={`/standard/${previous.id}`}
        >
          <span class="below-1 muted text-small">← Previous</span>
          {previous.title}
        </a>
      )}
      {next && (
        <a
          class="next flex column pad-3-4 framed rounded ink bold"
          rel="next"
          href={`/standard/${next.id}`}
        >
          <span class="below-1 muted text-small">Next →</span>
          {next.title}
        </a>
      )}
    </nav>
  );
}
