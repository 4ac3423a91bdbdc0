/** Primary, secondary and tertiary as in spec 2.5; then further ones, apart in hue. */
const SERIES_COLORS = [
  "#4ecdc4",
  "#f7b731",
  "#8b95a5",
  "#5b8def",
  "#e5738a",
  "#9b7ede",
  "#5fb878",
  "#e08e57",
] as const;

/** The n-th series' colour; from the ninth on they repeat. */
export function seriesColor(index: number): string {
  return SERIES_COLORS[index % SERIES_COLORS.length];
}
