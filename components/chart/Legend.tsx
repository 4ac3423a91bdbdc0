import type { Series } from "../../lib/chart/mod.ts";

/** A series' colour; an attribute of SVG, since pages allow no style attributes. */
export function Dot({ color }: { color: string }) {
  return (
    <svg class="chart-dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  );
}

/** Which colour is which; a single series needs none. */
export function Legend({ series }: { series: Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="chart-legend">
      {series.map(({ label, color }) => (
        <li key={label}>
          <Dot color={color} />
          {label}
        </li>
      ))}
    </ul>
  );
}
