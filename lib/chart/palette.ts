/** Primary, secondary and tertiary as in spec 2.5; then further ones, apart in hue. */
export const SERIES_COLORS = [
  "#4ecdc4",
  "#f7b731",
  "#8b95a5",
  "#5b8def",
  "#e5738a",
  "#9b7ede",
  "#5fb878",
  "#e08e57",
] as const;

/** The colours of the canvas that depend on the theme (spec 2.5). */
export const GRID = { dark: "rgba(255,255,255,0.06)", light: "rgba(0,0,0,0.06)" } as const;

/** How much of its colour lies under a line and in an area (spec 8). */
export const FILL = { line: 0.1, area: 0.2 } as const;

/** CSS pixels (spec 8). */
export const POINT_RADIUS = 3;
export const HOVER_RADIUS = 5;

/** A chart with more points than this draws neither splines nor points. */
export const DENSE = 2_000;

/** The n-th series' colour; from the ninth on they repeat. */
export function seriesColor(index: number): string {
  return SERIES_COLORS[index % SERIES_COLORS.length];
}

/** The same colour, as see-through as `alpha` (0 to 1) says. */
export function withAlpha(color: string, alpha: number): string {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (hex === null) return `color-mix(in srgb, ${color} ${alpha * 100}%, transparent)`;
  const [red, green, blue] = hex.slice(1).map((part) => parseInt(part, 16));
  return `rgba(${red},${green},${blue},${alpha})`;
}
