import { csvResponse, textCell } from "../../base/csv.ts";

/** The columns of a CSV file by name, each with the value of an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

/** `raw` text is for programs. A spreadsheet may take it for a formula. */
type Cell = string | number | null | { raw: string };

/**
 * Streams items as a CSV download. Numbers have two decimals; null is an empty cell.
 *
 * @param name the name of the file: letters, digits and dashes
 */
export const csvOf = <Item>(
  name: string,
  columns: Columns<Item>,
  items: AsyncIterable<Item>,
): Response => csvResponse(name, Object.keys(columns), rowsOf(Object.values(columns), items));

async function* rowsOf<Item>(
  columns: readonly Columns<Item>[string][],
  items: AsyncIterable<Item>,
): AsyncGenerator<string[]> {
  for await (const item of items) yield columns.map((valueOf) => cell(valueOf(item)));
}

function cell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "object") return value.raw;
  return typeof value === "number" ? value.toFixed(2) : textCell(value);
}
