import type { StandardPage } from "../../lib/standard/pages.ts";
import type { StandardSection } from "../../lib/standard/mod.ts";
import { AnchorList } from "./AnchorList.tsx";

/**
 * The standard's sections beside a text, with the parts of the one that is being read below its
 * name, where the screen has no room for them at the other side.
 */
export function SectionNav(
  { sections, page }: { sections: readonly StandardSection[]; page: StandardPage },
) {
  return (
    <nav class="section-nav" aria-label="Contents of the standard">
      <ol>
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
