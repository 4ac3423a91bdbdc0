/** Rows as a page's scripts get them: with each name of a column once, because a page has many rows. */
export interface PackedRows<Row> {
  names: (keyof Row)[];
  rows: Row[keyof Row][][];
}

/** @param rows have the same columns */
export function packRows<Row extends object>(rows: readonly Row[]): PackedRows<Row> {
  const names = Object.keys(rows[0] ?? {}) as (keyof Row)[];
  return { names, rows: rows.map((row) => names.map((name) => row[name])) };
}

export const unpackRows = <Row extends object>({ names, rows }: PackedRows<Row>): Row[] =>
  rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])) as Row);
