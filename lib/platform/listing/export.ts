/**
 * The export of a list as CSV or JSON.
 *
 * @module
 */
import { csvResponse, textCell } from "../../base/csv.ts";

/** A value in an export. `raw` text is for programs. A spreadsheet may take it for a formula. */
export type Value = string | number | null | { raw: string };

/** The part of a list's columns that its export needs, by the names in the file. */
export type Columns<Item> = Readonly<Record<string, { value?(item: Item): Value }>>;

/** The formats of an export, which a list's URL or form names as `format`. */
const FORMATS = ["csv", "json"] as const;
export type ExportFormat = typeof FORMATS[number];

/** Returns the format of the export that a URL or form asks for; undefined for the page. */
export const exportFormat = (given: unknown): ExportFormat | undefined =>
  FORMATS.find((format) => format === given);

/**
 * Streams items as a download: in CSV, where numbers have two decimals and null is an empty cell, or as a JSON
 * array. Columns without a value are only shown.
 *
 * @param file.name letters, digits and dashes
 */
export function exportOf<Item>(
  { name, format }: { name: string; format: ExportFormat },
  columns: Columns<Item>,
  items: AsyncIterable<Item>,
): Response {
  const exported = Object.entries(columns).flatMap(([column, { value }]) =>
    value === undefined ? [] : [[column, value] as const]
  );
  if (format === "json") return jsonResponse(name, exported, items);
  return csvResponse(name, exported.map(([column]) => column), rowsOf(exported, items));
}

type Exported<Item> = readonly (readonly [column: string, value: (item: Item) => Value])[];

async function* rowsOf<Item>(
  exported: Exported<Item>,
  items: AsyncIterable<Item>,
): AsyncGenerator<string[]> {
  for await (const item of items) yield exported.map(([, valueOf]) => cell(valueOf(item)));
}

function cell(value: Value): string {
  if (value === null) return "";
  if (typeof value === "object") return value.raw;
  return typeof value === "number" ? value.toFixed(2) : textCell(value);
}

const jsonResponse = <Item>(
  name: string,
  exported: Exported<Item>,
  items: AsyncIterable<Item>,
): Response =>
  new Response(ReadableStream.from(jsonChunks(exported, items)), {
    headers: {
      "content-type": "application/json",
      "content-disposition": `attachment; filename="${name}.json"`,
    },
  });

async function* jsonChunks<Item>(
  exported: Exported<Item>,
  items: AsyncIterable<Item>,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  let before = "[";
  for await (const item of items) {
    const object = Object.fromEntries(exported.map(([column, valueOf]) => {
      const value = valueOf(item);
      return [column, typeof value === "object" && value !== null ? value.raw : value];
    }));
    yield utf8.encode(`${before}\n${JSON.stringify(object)}`);
    before = ",";
  }
  yield utf8.encode(before === "[" ? "[]\n" : "\n]\n");
}
