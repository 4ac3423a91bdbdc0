/** Checks the rows of a CSV file before a batch is made of them, and lists all problems at once. */
import { levenshteinDistance } from "@std/text/levenshtein-distance";
import { IN_SENTENCES } from "../../../base/explain_issue.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { unmarked } from "../../../base/pasted.ts";
import { formatCount, plural } from "../../../base/time.ts";
import { withoutEmpty } from "../../documents/mod.ts";
import { issuesOf } from "../problems.ts";
import {
  type BatchDefaults,
  type BatchDocument,
  batchDocument,
  type Column,
  columnOf,
  COLUMNS,
} from "./columns.ts";
import { spoiledReason } from "./spoiled.ts";
import { type Chunks, CsvError, csvRecords } from "./records.ts";
import type { RowProblem } from "./rows.ts";

/** The most documents of a batch. */
export const MAX_ROWS = 10_000;

/** The most columns of a file. */
const MAX_COLUMNS = 64;

/** The most problems that a response names. */
const MAX_PROBLEMS = 1_000;

/** The most characters of a value that a problem quotes. */
const MAX_VALUE = 100;

/** A valid row, with the defaults. */
export interface CheckedRow {
  line: number;
  document: BatchDocument;
}

/** `invalid_rows` has the problems in `details`, those of the first rows if there are very many. */
export type CheckedFile =
  | {
    ok: true;
    rows: CheckedRow[];
    /** Why rows are left out. */
    leftOut: RowProblem[];
  }
  | Failure;

/** Returns what is wrong with the certificate of each document, by column. */
export type CheckCertificates = (documents: readonly BatchDocument[]) => Promise<
  { ok: true; issues: Record<string, string>[] } | Failure
>;

/** The rows whose certificates are checked together. */
const ROWS_AT_ONCE = 500;

/** A row that was read, with the document whose certificate is checked. */
interface ReadRow {
  document?: BatchDocument;
  /** Adds what is wrong with the row, and with its certificate. */
  finish(certificate: Record<string, string>): void;
}

/**
 * Checks a file as a whole: every row, and each with the others. It keeps the rows in memory, which the size
 * of the file limits.
 *
 * @param options.leaveOut whether rows whose only problem is that they cannot be printed are left out
 */
export async function checkFile(
  body: Chunks,
  defaults: BatchDefaults,
  checkCertificates: CheckCertificates,
  { leaveOut = false } = {},
): Promise<CheckedFile> {
  const problems = new Problems(leaveOut);
  const rows: CheckedRow[] = [];
  const read: ReadRow[] = [];
  const finishRead = async (): Promise<Failure | undefined> => {
    const documents = read.flatMap(({ document }) => document ?? []);
    const checked = await checkCertificates(documents);
    if (!checked.ok) return checked;
    const issues = checked.issues.values();
    for (const { document, finish } of read.splice(0)) {
      finish(document === undefined ? {} : issues.next().value!);
    }
  };
  const seen = new Seen();
  let header: Header | undefined;
  let count = 0;
  try {
    for await (const record of csvRecords(body)) {
      const { line } = record;
      if (!("cells" in record)) {
        const { problem } = record;
        const finish = () => problems.add({ line, column: null, reason: problem });
        if (header === undefined) {
          finish();
          break;
        }
        count++;
        read.push({ finish });
        continue;
      }
      const { cells } = record;
      if (header === undefined) {
        header = readHeader(cells, line, defaults, problems);
        if (header === undefined) break;
        problems.endHeader();
        continue;
      }
      if (++count > MAX_ROWS) {
        const message = `A batch has at most ${formatCount(MAX_ROWS)} rows. Divide the file.`;
        return fail("too_large", { message });
      }
      const context = { header, defaults, seen, rows };
      read.push(readRow(cells, line, context, problems));
      const failure = read.length >= ROWS_AT_ONCE ? await finishRead() : undefined;
      if (failure !== undefined) return failure;
    }
    const failure = await finishRead();
    if (failure !== undefined) return failure;
  } catch (error) {
    if (error instanceof CsvError) return error.failure;
    throw error;
  }
  if (header === undefined && problems.total === 0) {
    return fail("invalid_request", {
      message: "The file is empty. Its first row names the columns.",
    });
  }
  if (count === 0 && problems.total === 0) {
    return fail("invalid_request", { message: "The file has a header, but no rows." });
  }
  const { leftOut } = problems;
  if (problems.total === 0 && rows.length === 0) {
    return fail("invalid_rows", {
      message: "None of the rows can be printed, so nothing was issued.",
      details: {
        rows: leftOut.slice(0, MAX_PROBLEMS),
        problems: leftOut.length,
        faulty_rows: count,
        unprintable_rows: count,
      },
    });
  }
  return problems.total === 0 ? { ok: true, rows, leftOut } : problems.failure(count);
}

class Problems {
  readonly list: RowProblem[] = [];
  /** Those of rows that are left out. */
  readonly leftOut: RowProblem[] = [];
  readonly #leavesOut: boolean;
  #unprintable = 0;
  readonly lines = new Set<number>();
  total = 0;
  /** The number of those of the header. */
  #inHeader = 0;

  constructor(leavesOut: boolean) {
    this.#leavesOut = leavesOut;
  }

  /** Adds a row whose only problem is that it cannot be printed. */
  addUnprintable(problems: readonly RowProblem[]): void {
    this.#unprintable++;
    for (const problem of problems) {
      if (this.#leavesOut) this.leftOut.push(problem);
      else this.add(problem);
    }
  }

  /** Those that are added from now on are of rows. */
  endHeader(): void {
    this.#inHeader = this.total;
    this.lines.clear();
  }

  add({ value, ...problem }: RowProblem): void {
    this.total++;
    this.lines.add(problem.line);
    if (this.list.length >= MAX_PROBLEMS) return;
    const quoted = value === undefined || value === "" ? {} : { value: value.slice(0, MAX_VALUE) };
    this.list.push({ ...problem, ...quoted });
  }

  failure(rows: number): Failure<"invalid_rows"> {
    const faulty = rows === 0 ? 0 : this.lines.size;
    const ofRows = `${plural(faulty, "row")} of ${formatCount(rows)} ${
      faulty === 1 ? "has a problem" : "have problems"
    }`;
    const parts = [
      (this.#inHeader > 0 || rows === 0) && "the header has a problem",
      faulty > 0 && ofRows,
    ];
    const text = parts.filter(Boolean).join(", and ");
    return fail("invalid_rows", {
      message: `${text[0].toUpperCase()}${text.slice(1)}, so nothing was issued.`,
      details: {
        rows: this.list,
        problems: this.total,
        faulty_rows: faulty,
        unprintable_rows: this.#unprintable,
      },
    });
  }
}

const NO_LINES = "The line breaks are missing. With curl, use --data-binary instead of -d.";

/** The columns of a file. */
interface Header {
  /** By position; null for one without name and content, undefined for one that is not read because of its name. */
  columns: (Column | null | undefined)[];
  /** Values for columns that are missing, so that the rest of each row is checked. */
  placeholders: Partial<Record<Column, string>>;
  /** True if it has a problem, so that nothing is issued. */
  faulty: boolean;
}

/** Values that are valid in every row. */
const PLACEHOLDERS = { name: "A", email: "a@example.org", title: "A", date: "0001-01-01" } as const;

/** Returns the columns; undefined if the header is none, so that no row can be read. */
function readHeader(
  cells: readonly string[],
  line: number,
  defaults: BatchDefaults,
  problems: Problems,
): Header | undefined {
  if (isColumn(columnOf(cells[0])) && cells.some((cell) => cell.includes("@"))) {
    problems.add({ line, column: null, reason: NO_LINES });
    return undefined;
  }
  if (cells.length > MAX_COLUMNS) {
    const reason = `The header has ${
      formatCount(cells.length)
    } columns, but the limit is ${MAX_COLUMNS}.`;
    problems.add({ line, column: null, reason });
    return undefined;
  }
  const names = cells.map(columnOf);
  const last = names.findLastIndex((name) => name !== "");
  names.forEach((name, i) => {
    const value = cells[i];
    if (name === "") {
      if (i < last) {
        problems.add({ line, column: null, reason: `Column ${i + 1} has no name.` });
      }
    } else if (!isColumn(name)) {
      problems.add({ line, column: name, value, reason: unknownColumn(name) });
    } else if (names.indexOf(name) < i) {
      problems.add({ line, column: name, value, reason: "This column occurs twice." });
    }
  });
  const placeholders: Header["placeholders"] = {};
  for (const column of ["name", "email", "title", "date"] as const) {
    const isShared = column === "title" || column === "date";
    if (names.includes(column) || (isShared && defaults[column] !== undefined)) continue;
    const reason = isShared ? missingShared(column) : "This column is missing.";
    problems.add({ line, column, reason });
    placeholders[column] = PLACEHOLDERS[column];
  }
  return {
    columns: names.map((name, i) =>
      name === "" ? null : isColumn(name) && names.indexOf(name) === i ? name : undefined
    ),
    placeholders,
    faulty: problems.total > 0,
  };
}

const missingShared = (column: string): string =>
  `Add this column, or give one ${column} for all rows.`;

/** Returns whether a problem is that a column is missing which can also be given with the file. */
export const isMissingShared = ({ column, reason }: RowProblem): boolean =>
  column !== null && reason === missingShared(column);

const isColumn = (name: string): name is Column => COLUMNS.includes(name as Column);

/** The names of columns with identifiers, such as `student_no`. */
const IDENTIFIER = /(^|_)(id|no|nr|number|ref|reference)\.?$/;

/** Names that lists of students often give to a column. */
const USUAL_NAMES: Record<string, Column> = {
  full_name: "name",
  student: "name",
  student_name: "name",
  email_address: "email",
  e_mail_address: "email",
  mail: "email",
  course: "title",
  qualification: "title",
  result: "grade",
  mark: "grade",
};

function unknownColumn(name: string): string {
  if (Object.hasOwn(USUAL_NAMES, name)) {
    return `There is no such column. Did you mean ${USUAL_NAMES[name]}?`;
  }
  const [nearest] = COLUMNS.map((column) => ({ column, by: levenshteinDistance(name, column) }))
    .sort((a, b) => a.by - b.by);
  if (nearest.by <= 2) return `There is no such column. Did you mean ${nearest.column}?`;
  return IDENTIFIER.test(name)
    ? "There is no such column. If it is your own number of the document, not of the person, name it " +
      "external_id. Otherwise, remove it."
    : `There is no such column. The columns are ${COLUMNS.join(", ")}.`;
}

interface RowContext {
  header: Header;
  defaults: BatchDefaults;
  seen: Seen;
  /** To which a valid row is added. */
  rows: CheckedRow[];
}

/** Reads a row. Spreadsheets leave out its last cells if they are empty. */
function readRow(
  cells: readonly string[],
  line: number,
  { header, defaults, seen, rows }: RowContext,
  problems: Problems,
): ReadRow {
  const { columns: names, placeholders, faulty } = header;
  const surplus = cells.findIndex((cell, i) =>
    (i >= names.length || names[i] === null) && cell.trim() !== ""
  );
  if (surplus >= 0) {
    const columns = names.filter((name) => name !== null).length;
    const reason =
      `The row has ${plural(cells.length, "cell")}, but the header has ${columns}. A cell with a ` +
      "separator or a line break needs quotes.";
    return { finish: () => problems.add({ line, column: null, reason }) };
  }
  const named = names.flatMap((name, i) => name ? [[name, cells[i] ?? ""]] : []);
  const given: Partial<Record<Column, string>> = withoutEmpty(Object.fromEntries(named));
  const parsed = batchDocument.safeParse({ ...placeholders, ...defaults, ...given }, IN_SENTENCES);
  return {
    document: parsed.data,
    finish(certificate) {
      const issues = parsed.success ? { ...certificate } : issuesOf(parsed.error);
      for (const [column, cell] of Object.entries(given)) {
        const reason = spoiledReason(column, cell);
        if (reason !== undefined) issues[column] = reason;
      }
      const sameId = seen.id(given.external_id && unmarked(given.external_id), line);
      if (sameId !== undefined) issues.external_id = `Line ${sameId} has the same id.`;
      const faults = Object.entries(issues).map(([column, reason]): RowProblem => ({
        line,
        column,
        value: given[column as Column],
        reason,
      }));
      // The end of its validity is not printed.
      const isPrinted = ({ column, reason }: RowProblem) =>
        column !== "expires_on" && certificate[column!] === reason;
      if (faults.length > 0 && faults.every(isPrinted)) return problems.addUnprintable(faults);
      for (const fault of faults) problems.add(fault);
      if (!parsed.success || faults.length > 0 || faulty) return;
      const same = seen.document(parsed.data, line);
      if (same === undefined) {
        rows.push({ line, document: parsed.data });
        return;
      }
      const reason =
        `Line ${same} has the same name, address, title and date. If both are right, give ` +
        "them different external ids.";
      problems.add({ line, column: null, reason });
    },
  };
}

/**
 * Finds rows that repeat another one: the same `external_id`, or the same document for the same person, unless
 * different ids tell them apart.
 */
class Seen {
  readonly #ids = new Map<string, number>();
  readonly #documents = new Map<string, { line: number; id?: string }>();

  /** Returns the earlier line with this id; undefined if there is none. */
  id(id: string | undefined, line: number): number | undefined {
    if (id === undefined) return undefined;
    const earlier = this.#ids.get(id);
    if (earlier === undefined) this.#ids.set(id, line);
    return earlier;
  }

  /** Returns the earlier line with the same document; undefined if there is none. */
  document(
    { external_id: id, name, email, title, date }: BatchDocument,
    line: number,
  ): number | undefined {
    const key = JSON.stringify([name.toLowerCase(), email, title.toLowerCase(), date]);
    const earlier = this.#documents.get(key);
    if (earlier === undefined) this.#documents.set(key, { line, id });
    else if (earlier.id === undefined || id === undefined) return earlier.line;
  }
}
