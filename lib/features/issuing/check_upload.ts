/** Checks the console's form that issues documents from a file, and collects all its problems. */
import { fail, type Failure } from "../../base/result.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import {
  type Batches,
  batchFormSchema,
  type CheckedRow,
  isMissingShared,
  type RowProblem,
  type SharedColumn,
} from "./batches/mod.ts";
import { issuesOf } from "./problems.ts";

/** A form whose fields and file have no problem. */
interface CheckedForm {
  ok: true;
  test: boolean;
  title: string | undefined;
  rows: CheckedRow[];
  leftOut: RowProblem[];
}

/**
 * Checks the console's form with a file, with the function with which the API checks a file. All problems are
 * named in one round, those of the fields in `issues`, those of the file in `details`.
 */
export async function checkUpload(
  batches: Pick<Batches, "check">,
  issuer: IssuerRow,
  { fields, chunks }: {
    fields: Record<string, string>;
    /** Null if no file was chosen. */
    chunks: Uint8Array[] | null;
  },
): Promise<CheckedForm | Failure> {
  const parsed = batchFormSchema.safeParse(fields);
  const issues: Record<string, string> = parsed.success ? {} : issuesOf(parsed.error);
  if (chunks === null) {
    return fail("invalid_request", {
      message: REFUSED,
      issues: { ...issues, file: "Choose a file." },
    });
  }
  const valid = Object.entries(fields).filter(([name]) => !Object.hasOwn(issues, name));
  const { mode, batch_title: title, unprintable, ...defaults } = parsed.success
    ? parsed.data
    : batchFormSchema.parse({ mode: "test", ...Object.fromEntries(valid) });
  const leaveOut = unprintable === "leave_out";
  const checked = await batches.check(issuer, chunks, defaults, { leaveOut });
  if (checked.ok) {
    if (parsed.success) return { ...checked, test: mode === "test", title };
    return fail("invalid_request", { message: REFUSED, issues });
  }
  if (checked.error === "rate_limited") return checked;
  const { rows = [], problems = 0, faulty_rows = 0, unprintable_rows = 0 } =
    (checked.details ?? {}) as {
      rows?: RowProblem[];
      problems?: number;
      faulty_rows?: number;
      unprintable_rows?: number;
    };
  // A value that the form can give is a problem of its field, unless the field has another one already.
  const inFile = rows.filter((problem) => !isMissingShared(problem));
  const missing = rows.filter(isMissingShared).map(({ column }) => column as SharedColumn);
  const ofFields = {
    ...Object.fromEntries(missing.map((column) => [column, MISSING(column)])),
    ...checked.issues,
    ...checked.details === undefined && checked.issues === undefined && { file: checked.message! },
    ...issues,
  };
  return fail(checked.error, {
    message: REFUSED,
    issues: ofFields,
    details: { rows: inFile, problems: problems - missing.length, faulty_rows, unprintable_rows },
  });
}

const MISSING = (column: SharedColumn): string =>
  `Give one ${column} for all rows, or add a column “${column}” to the file.`;

const REFUSED = "The form has problems, so nothing was issued.";
