/** The parts around a chart: legend, table of the data, and placeholder while loading. */
import type { Series, TableData } from "../../lib/features/chart/mod.ts";

/** The colour of a series, as an SVG attribute, because the page policy forbids style attributes. */
export function Dot({ color }: { color: string }) {
  return (
    <svg class="rigid" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  );
}

/** The names and colours of a chart's series; nothing for a single one. */
export function Legend({ series }: { series: Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="wrap chart-legend gap-1-4 muted text-small anywhere">
      {series.map(({ label, color }) => (
        <li class="middle" key={label}>
          <Dot color={color} />
          {label}
        </li>
      ))}
    </ul>
  );
}

/** A longer table would push the rest of the page down. */
const MOST_OPEN_ROWS = 14;

/**
 * The data of the chart for screen readers and for visitors without JavaScript.
 *
 * @param props.folded whether to fold a long table
 */
export function DataTable({ caption, table, folded }: {
  caption: string;
  table: TableData;
  folded: boolean;
}) {
  const { head, rows, omitted } = table;
  const content = (
    <table class="table">
      <caption>
        {caption}
        {omitted > 0 && ` (the last ${rows.length} of ${omitted + rows.length} rows)`}
      </caption>
      <thead>
        <tr>
          {head.map((text, i) => (
            <th key={i} scope="col" class={i > 0 ? "figure-cell" : undefined}>{text}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, ...values], i) => (
          <tr key={i}>
            <th scope="row">{label}</th>
            {values.map((value, i) => <td key={i} class="figure-cell">{value}</td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (!folded || rows.length <= MOST_OPEN_ROWS) return <div class="chart-table">{content}</div>;
  return (
    <details class="chart-table">
      <summary class="text-small">{caption}: the data as a table</summary>
      {content}
    </details>
  );
}

/** A placeholder in the shape of a plot, with a shimmer and without a spinner (spec 3). */
export function Skeleton({ round, height }: { round: boolean; height: number }) {
  return (
    <div class="chart-skeleton relative round">
      <span class="visually-hidden">Loading chart data</span>
      <svg
        class="block full-width"
        viewBox="0 0 100 100"
        preserveAspectRatio={round ? undefined : "none"}
        height={height}
        fill="none"
        stroke="currentColor"
        aria-hidden="true"
      >
        {round ? <circle cx="50" cy="50" r="36" stroke-width="18" /> : (
          <>
            <path
              d="M0 4H100M0 27H100M0 50H100M0 73H100M0 96H100"
              vector-effect="non-scaling-stroke"
            />
            <path
              d="M0 96V70C20 70 20 44 40 52S70 20 100 34V96Z"
              fill="currentColor"
              stroke="none"
            />
          </>
        )}
      </svg>
    </div>
  );
}
