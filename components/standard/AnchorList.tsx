import type { Heading } from "../../lib/standard/render.ts";

/** Links to the parts of a page. */
export function AnchorList({ headings }: { headings: readonly Heading[] }) {
  return (
    <ul class="anchor-list">
      {headings.map(({ id, text, level }) => (
        <li class={`level-${level}`}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
}
