/** Results, printed as they are written in README.md. */
export interface Table {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
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
