/** Warns an administrator about rows that are valid but look wrong, before they are issued. */
import { dayOf } from "../../../base/time.ts";
import type { CheckedRow } from "./check.ts";
import type { BatchDocument } from "./columns.ts";
import type { BatchRow, RowProblem } from "./rows.ts";

/** The most warnings that a batch keeps. */
const MOST_KEPT = 50;

/** The fields that are drawn on a certificate. */
const DRAWN = [
  "name",
  "name_latin",
  "title",
  "subtitle",
  "body",
  "grade",
  "signatory",
  "signatory_title",
] as const;

/**
 * Returns what an administrator should look at before the documents of valid rows are issued. No
 * warning contains a name or an address, because they are kept with the batch.
 */
export function findingsIn(
  rows: readonly CheckedRow[],
  leftOut: readonly RowProblem[],
  now: number,
): NonNullable<BatchRow["found"]> {
  // The reason of each may contain a part of a name.
  const warnings = leftOut.slice(0, MOST_KEPT).map(({ line, column }): RowProblem => ({
    line,
    column,
    reason: "This row is left out, because its certificate cannot be printed.",
  }));
  let warned = leftOut.length;
  let longest = { n: 0, length: -1 };
  const names = new Map<string, { name: string; line: number }>();
  rows.forEach(({ line, document }, n) => {
    const length = DRAWN.reduce((sum, field) => sum + (document[field] ?? "").length, 0);
    if (length > longest.length) longest = { n, length };
    for (const warning of [...warningsOf(document, now), ...sameAddress(document, names, line)]) {
      if (++warned <= MOST_KEPT) warnings.push({ line, ...warning });
    }
  });
  return { longest: longest.n, warnings, warned };
}

type Warning = Omit<RowProblem, "line">;

function* warningsOf(document: BatchDocument, now: number): Generator<Warning> {
  if (document.date > dayOf(now)) {
    yield { column: "date", value: document.date, reason: "This date is in the future." };
  }
}

/** Several people may share an address, but often a row was copied. */
function* sameAddress(
  { name, email }: BatchDocument,
  names: Map<string, { name: string; line: number }>,
  line: number,
): Generator<Warning> {
  const earlier = names.get(email);
  if (earlier === undefined) names.set(email, { name, line });
  else if (earlier.name.toLowerCase() !== name.toLowerCase()) {
    const reason = `Line ${earlier.line} has the same address for another name.`;
    yield { column: "email", reason };
  }
}
