import type { TableData } from "../../lib/chart/mod.ts";

/** The chart's figures for those who do not see it, and for pages without scripts. */
export function FiguresTable({ caption, table }: { caption: string; table: TableData }) {
  const { head, rows, left } = table;
  return (
    <div class="chart-figures">
      <table class="table">
        <caption>
          {caption}
          {left > 0 && ` (the last ${rows.length} rows of ${left + rows.length})`}
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
    </div>
  );
}
