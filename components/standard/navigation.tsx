/** The contents, headings and neighbours that lead from one section of the standard to others. */
import type { StandardPage, StandardSection } from "../../lib/features/standard/mod.ts";
import type { Heading } from "../../lib/features/standard/render.ts";

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
