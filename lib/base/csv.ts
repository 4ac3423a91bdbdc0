/** CSV downloads that spreadsheets open safely, without formulas and wrong encodings. */
import { utf8 } from "./encoding.ts";

/** Control characters that make a spreadsheet skip to what follows if a cell starts with them. */
const SKIPPED_STARTS = /^[\t\r\n\0]/;

/**
 * The places where a formula would begin (ASVS 5, 1.2.10): at the start of a cell, and behind what a
 * spreadsheet may take for the end of a cell. Where the list separator is a semicolon, it splits the
 * text of quoted cells, and drops their quotes.
 */
const FORMULA_STARTS = /(?<=^|[;\t\n\v\f\x85\u2028\u2029])(?="*[=+\-@＝＋－＠])/g;

/**
 * Returns text as a cell that spreadsheets do not treat as a formula or, because of a lone CR, split
 * into two rows.
 */
export function textCell(value: string): string {
  const text = value.replaceAll(/\r(?!\n)/g, "\n").replaceAll(FORMULA_STARTS, "'");
  return SKIPPED_STARTS.test(text) ? `'${text}` : text;
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
  yield utf8(`\uFEFF${lineOf(columns)}`);
  let waiting = "";
  let count = 0;
  for await (const row of rows) {
    waiting += lineOf(row);
    if (++count % ROWS_PER_CHUNK > 0) continue;
    yield utf8(waiting);
    waiting = "";
  }
  if (waiting !== "") yield utf8(waiting);
}

/** Quotes every cell, because a program may take other characters than commas for separators. */
const lineOf = (cells: readonly string[]) =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
