/**
 * Returns the page numbers to link to: the first, the last and the current one with its neighbours.
 * `null` replaces numbers that are left out, but never for a single one.
 */
export function pageNumbers(page: number, last: number): (number | null)[] {
  const near = [1, page - 1, page, page + 1, last];
  const shown = [...new Set(near)].filter((one) => one >= 1 && one <= last).sort((a, b) => a - b);
  return shown.flatMap((one, i) => {
    const skipped = one - (shown[i - 1] ?? 0) - 1;
    return skipped === 0 ? [one] : skipped === 1 ? [one - 1, one] : [null, one];
  });
}
