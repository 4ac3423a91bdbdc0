import type { StandardPage } from "../../lib/standard/pages.ts";

/** The ways on at the foot of a section. */
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
