/**
 * Where a key leads from one datum: arrows go step by step, Home and End to the ends, Escape to
 * none (null). Undefined for a key that the chart leaves alone.
 *
 * @param current index, null before the first key
 * @param length how many data there are
 */
export function nextIndex(
  key: string,
  current: number | null,
  length: number,
): number | null | undefined {
  const last = length - 1;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, (current ?? -1) + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, (current ?? length) - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "Escape":
      return current === null ? undefined : null;
  }
}
