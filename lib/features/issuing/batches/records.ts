/** Reads the rows of a CSV file while it arrives, whatever its separator and line breaks. */
import { sleep } from "../../../base/sleep.ts";
import { parse as untypedParse } from "@std/csv";
import { fail, type Failure } from "../../../base/result.ts";
import { formatCount } from "../../../base/time.ts";

/** A row of a CSV file: its cells, or why it cannot be read. */
type CsvRecord =
  & {
    /** The number of its first line, from 1. */
    line: number;
  }
  & ({ cells: string[] } | { problem: string });

/** The largest file in bytes. */
export const MAX_FILE = 8 * 1024 * 1024;

/** The most lines, with empty ones. A file of nothing else would take seconds to read. */
export const MAX_LINES = 100_000;

/** How many characters are read before others have their turn. A line counts as 250 more. */
const TURN = 200_000;

/** The longest row in characters. A quote that is not closed would otherwise take in the rest of the file. */
const MAX_RECORD = 32_768;

const SEPARATORS = [",", ";", "\t"] as const;

/** The first line in which spreadsheets name the separator, for each other: `sep=;`. */
const NAMED_SEPARATOR = /^"?sep=([^"\p{L}\p{N}])"?/iu;

const parse: (text: string, options: { separator: string }) => string[][] = untypedParse;

/** A file that arrives, or that has arrived. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Thrown by {@link csvRecords} if the whole file cannot be read. */
export class CsvError extends Error {
  override readonly name = "CsvError";
  constructor(readonly failure: Failure) {
    super(failure.error);
  }
}

const unreadable = (message: string, error = "invalid_request") =>
  new CsvError(fail(error, { message }));

const NOT_UTF8 =
  "The file is not in UTF-8, but probably in Windows-1252 or another single-byte encoding. " +
  "In Excel, save it as “CSV UTF-8”.";
const UTF16 = "The file is in UTF-16. Save it as CSV in UTF-8.";
const NOT_TEXT = "The file is not text. Save the table as CSV in UTF-8.";
const UNCLOSED =
  "A quote is opened here and not closed, or a cell has a single quote in it. Put the " +
  "cell in quotes, and write each quote in it twice.";

/**
 * Reads the rows of a CSV file (RFC 4180) in UTF-8, with or without a byte order mark, while it arrives. The
 * first row decides whether cells are separated by commas, semicolons or tabs, unless a line before it names the
 * separator. Empty rows are left out.
 *
 * Other work has its turn meanwhile.
 *
 * @throws {CsvError} if the file is too large, or not text in UTF-8
 */
export async function* csvRecords(
  body: Chunks,
  limit: number = MAX_FILE,
): AsyncGenerator<CsvRecord> {
  let separator: string | undefined;
  let open: OpenRecord | null = null;
  let number = 0;
  let read = 0;
  for await (const line of linesOf(body, limit)) {
    if (++number > MAX_LINES) {
      const message = `A file has at most ${formatCount(MAX_LINES)} lines. Divide the file.`;
      throw unreadable(message, "too_large");
    }
    read += line.length + 250;
    if (read > TURN) {
      read = 0;
      await sleep(0);
    }
    if (open === null && line === "") continue;
    const start = separator === undefined && open === null ? line.replace(/^\p{Cf}+/u, "") : line;
    if (separator === undefined && open === null) {
      separator = NAMED_SEPARATOR.exec(start)?.[1];
      if (separator !== undefined) continue;
    }
    open = joined(open, start, number);
    if (open.text.length > MAX_RECORD) {
      const problem = open.quotes % 2 === 1
        ? UNCLOSED
        : `A row has at most ${MAX_RECORD} characters.`;
      yield { line: open.line, problem };
      open = null;
      continue;
    }
    if (open.quotes % 2 === 1) continue; // a line break in a cell
    separator ??= separatorOf(open.text);
    const record = readCells(open, separator);
    open = null;
    if (!("cells" in record) || record.cells.some((cell) => cell.trim() !== "")) yield record;
  }
  if (open !== null) yield { line: open.line, problem: UNCLOSED };
}

/** A row that may continue in the next line. */
interface OpenRecord {
  line: number;
  text: string;
  quotes: number;
}

function joined(open: OpenRecord | null, text: string, number: number): OpenRecord {
  const quotes = text.split('"').length - 1;
  if (open === null) return { line: number, text, quotes };
  return { ...open, text: `${open.text}\n${text}`, quotes: open.quotes + quotes };
}

function readCells({ line, text }: OpenRecord, separator: string): CsvRecord {
  try {
    const [cells = [""]] = parse(text, { separator });
    return { line, cells };
  } catch {
    return { line, problem: UNCLOSED };
  }
}

/** Returns the separator that a header row has most often outside of quotes. */
function separatorOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, "");
  const count = (separator: string) => bare.split(separator).length;
  return SEPARATORS.reduce((most, each) => count(each) > count(most) ? each : most);
}

/** Splits text in UTF-8 into lines, whatever their line breaks. */
async function* linesOf(body: Chunks, limit: number): AsyncGenerator<string> {
  let rest = "";
  for await (const text of textOf(body, limit)) {
    // A CR at the end may be the first half of a line break.
    const held = text.endsWith("\r") ? "\r" : "";
    const lines = (rest + text.slice(0, text.length - held.length)).split(/\r\n|\n|\r/);
    rest = lines.pop()! + held;
    if (rest.length > MAX_RECORD) throw unreadable(NOT_TEXT);
    yield* lines;
  }
  yield* rest.split(/\r\n|\n|\r/);
}

async function* textOf(body: Chunks, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw unreadable(NOT_UTF8);
    }
  };
  for await (const bytes of body) {
    if (size === 0 && isUtf16(bytes)) throw unreadable(UTF16);
    size += bytes.length;
    if (size > limit) {
      throw unreadable(`Send at most ${limit / 1024 / 1024} MiB.`, "too_large");
    }
    const text = decode(bytes);
    if (text.includes("\0")) throw unreadable(NOT_TEXT);
    yield text;
  }
  yield decode();
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
