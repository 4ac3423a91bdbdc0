/** The cells of a row, with the ratio by CPU time that is compared with the stored one. */
export type Row = readonly string[] & { readonly ratio?: Ratio };

interface Ratio {
  /** The two things that are compared; unique in the benchmark. */
  name: string;
  /** The CPU time of what the row is compared with, as a share of the row's own: more is better. */
  value: number;
}

/** Adds a ratio by CPU time to a row. */
export const withRatio = (cells: string[], ratio: Ratio): string[] & { ratio: Ratio } =>
  Object.assign(cells, { ratio });

/** Results, printed as they are written in README.md. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
}

/** Formats a table in Markdown. */
export function formatTable({ title, columns, rows }: Table): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, i) => Math.max(3, ...all.map((cells) => cells[i].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [title, "", line(columns), rule, ...rows.map(line), ""].join("\n");
}

export const integer = (value: number): string => Math.round(value).toLocaleString("en-US");

/** Formats a limit and whether a value is within it. */
export const atLeast = (limit: number, value: number): string =>
  `at least ${limit}: ${value >= limit ? "met" : "missed"}`;

export const atMost = (limit: number, value: number): string =>
  `at most ${limit}: ${value <= limit ? "met" : "missed"}`;
