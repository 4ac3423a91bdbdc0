import { stringify } from "@std/csv";
import { utf8 } from "./encoding.ts";

/**
 * Characters that make a spreadsheet treat a cell as a formula if it starts with them (ASVS 5,
 * 1.2.10).
 */
const FORMULA_STARTS = new Set("=+-@＝＋－＠\t\r\n\0");

/**
 * Returns text as a cell that spreadsheets do not treat as a formula or, because of a lone CR, split
 * into two rows.
 */
export function textCell(value: string): string {
  const text = value.replaceAll(/\r(?!\n)/g, "\n");
  return FORMULA_STARTS.has(text[0]) ? `'${text}` : text;
}

const ROWS_PER_CHUNK = 200;

/**
 * Streams rows as a CSV download (RFC 4180), in UTF-8 with a byte order mark, because spreadsheets
 * would otherwise assume another encoding.
 *
 * @param name the name of the file: letters, digits and dashes
 * @param rows cells of numbers, or of text from `textCell`
 */
export function csvResponse(
  name: string,
  columns: readonly string[],
  rows: AsyncIterable<readonly string[]>,
): Response {
  return new Response(ReadableStream.from(csvChunks(columns, rows)), {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
  });
}

async function* csvChunks(columns: readonly string[], rows: AsyncIterable<readonly string[]>) {
  yield utf8(stringify([columns], { bom: true }));
  let waiting: (readonly string[])[] = [];
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length < ROWS_PER_CHUNK) continue;
    yield utf8(stringify(waiting));
    waiting = [];
  }
  if (waiting.length > 0) yield utf8(stringify(waiting));
}
