import { nextIndex } from "../../lib/chart/mod.ts";

/** What a screen reader says of a chart that has the focus. */
export function KeyHint({ id }: { id: string | undefined }) {
  return (
    <p id={id} class="visually-hidden">
      The arrow keys, Home and End move from datum to datum, Escape leaves. The figures follow as a
      table.
    </p>
  );
}

/** Takes the keys that move within a chart, and leaves all others to the page. */
export function stepByKey(
  event: KeyboardEvent,
  current: number | null,
  length: number,
  show: (index: number | null) => void,
): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const next = nextIndex(event.key, current, length);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  show(next);
}
