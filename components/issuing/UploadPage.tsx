/** The page of the console on which an administrator uploads a CSV file to issue certificates for an issuer. */
import type { ComponentChildren } from "preact";
import { dayOf, formatCount, plural } from "../../lib/base/time.ts";
import {
  MAX_FILE,
  MAX_ROWS,
  type RowProblem,
  type SharedColumn,
} from "../../lib/features/issuing/batches/mod.ts";
import { PAPERS } from "../../lib/features/issuing/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { ErrorSummary, type SummaryProblem } from "../ErrorSummary.tsx";
import { Field } from "../Field.tsx";
import { Card, PageHead } from "../console_parts.tsx";
import { FileProblems, problemId } from "./FileProblems.tsx";

interface UploadPageProps {
  /** The name of the issuer. */
  issuer: string;
  /** The path to which the form posts. */
  path: string;
  /** The URL of a file with a few rows; null if this deployment serves none. */
  exampleUrl: string | null;
  now: number;
  refused?: RefusedForm;
}

/** The problems of a file. */
export interface ProblemList {
  /** The first ones. */
  rows: RowProblem[];
  /** The number of all. */
  problems: number;
  /** The number of rows with problems. */
  faulty_rows: number;
  /** The number of rows that could be left out. */
  unprintable_rows: number;
}

interface Shared {
  name: SharedColumn;
  label: string;
  hint?: string;
  value?: string;
  type?: string;
}

/** Required unless the file has them. */
const REQUIRED: readonly Shared[] = [
  {
    name: "title",
    label: "Title of the certificates",
    hint: "Required, unless the file has a column “title”.",
  },
  {
    name: "date",
    label: "Date",
    hint: "Required, unless the file has a column “date”.",
    type: "date",
  },
  { name: "type", label: "Type", hint: "Required, such as Certificate.", value: "Certificate" },
];

const OPTIONAL: readonly Shared[] = [
  { name: "expires_on", label: "Valid until", type: "date" },
  { name: "subtitle", label: "Subtitle" },
  { name: "grade", label: "Grade" },
  { name: "signatory", label: "Signatory" },
  { name: "signatory_title", label: "Office of the signatory" },
];

/** A label with the name that the column has in a file. */
const Label = ({ column, children }: { column: SharedColumn; children: ComponentChildren }) => (
  <>
    {children}{" "}
    <small class="muted">
      <code>{column}</code>
    </small>
  </>
);

/** How many problems of the file the summary links to. */
const MOST_LINKED = 10;

/** The upload of a file with a row for each certificate, for full administrators. */
export function UploadPage({ issuer, path, exampleUrl, now, refused }: UploadPageProps) {
  const { values = {}, issues = {}, problem, details } = refused ?? {};
  const list = details?.rows === undefined ? undefined : details as unknown as ProblemList;
  const unprintable = list?.unprintable_rows ?? 0;
  // Rows that were to be left out are not counted as faulty.
  const othersFaulty = list !== undefined &&
    list.faulty_rows > (values.unprintable === "leave_out" ? 0 : unprintable);
  const isOpen = OPTIONAL.some(({ name }) => (values[name] ?? "") !== "" || issues[name]) ||
    values.paper === "Letter" || issues.paper !== undefined;
  const field = ({ name, label, hint, value, type = "text" }: Shared) => (
    <Field
      key={name}
      name={`batch-${name}`}
      label={<Label column={name}>{label}</Label>}
      hint={hint}
      problem={issues[name]}
    >
      {(control) => (
        <input
          {...control}
          name={name}
          type={type}
          value={values[name] ?? (name === "date" ? dayOf(now) : value)}
          autocomplete="off"
        />
      )}
    </Field>
  );
  return (
    <>
      {refused !== undefined && <Summary {...{ issues, problem, list }} />}
      <PageHead
        title="Issue certificates from a file"
        lead={`For ${issuer}. The file is checked first. Nothing is issued until you have seen the result.`}
      />
      <div class="stack gap-4">
        {list !== undefined && list.rows.length > 0 && (
          <FileProblems {...list}>
            {unprintable > 0 && (
              <p>
                {plural(unprintable, "certificate")} cannot be printed.{" "}
                <a href="#field-batch-unprintable">
                  Choose below whether to continue without {unprintable === 1 ? "it" : "them"}.
                </a>
              </p>
            )}
          </FileProblems>
        )}
        <form method="post" action={path} encType="multipart/form-data" class="upload-form">
          <div class="stack gap-4">
            <Card id="all-rows" title="For all rows">
              <p>A value in a row of the file overrides these.</p>
              {REQUIRED.map(field)}
              <details open={isOpen}>
                <summary>Optional texts</summary>
                {OPTIONAL.map(field)}
                <Field
                  name="batch-paper"
                  label={<Label column="paper">Paper</Label>}
                  problem={issues.paper}
                >
                  {(control) => (
                    <select {...control} name="paper">
                      {PAPERS.map((paper) => (
                        <option key={paper} selected={values.paper === paper}>{paper}</option>
                      ))}
                    </select>
                  )}
                </Field>
              </details>
            </Card>
            <Card id="batch" title="The batch">
              <Field name="batch-mode" label="Mode" hint="Required." problem={issues.mode}>
                {(control) => (
                  <select {...control} name="mode">
                    <option value="test">A test: nobody is emailed</option>
                    <option value="live" selected={values.mode === "live"}>
                      For real recipients
                    </option>
                  </select>
                )}
              </Field>
              <Field
                name="batch-batch_title"
                label="Name of the batch"
                hint="Optional, for administrators. By default, the type and the date."
                problem={issues.batch_title}
              >
                {(control) => (
                  <input
                    {...control}
                    name="batch_title"
                    value={values.batch_title}
                    autocomplete="off"
                  />
                )}
              </Field>
            </Card>
            <Card id="file" title="The file">
              <p>
                A CSV file in UTF-8 with a row for each certificate, at most {formatCount(MAX_ROWS)}
                {" "}
                rows and {MAX_FILE / 1024 / 1024} MiB. Its first row names the columns:{" "}
                <code>name</code> and <code>email</code>, and any of <code>external_id</code>,{" "}
                <code>body</code> and those above, such as <code>grade</code>.
                {exampleUrl !== null && (
                  <>
                    {" "}
                    <a href={exampleUrl}>An example</a>
                  </>
                )}
              </p>
              <p>
                Names can be in nearly every script. <code>name_latin</code>{" "}
                is printed below the name, in Latin letters. Chinese characters look different in
                some languages: <code>language</code> says which, such as <code>ja</code> or{" "}
                <code>zh-Hant</code>.
              </p>
              {unprintable > 0 && (
                <Field
                  name="batch-unprintable"
                  label="Rows that cannot be printed"
                  hint={`${
                    othersFaulty ? "Correct the rows with other problems first. " : ""
                  }Issue the certificates of the rows that you leave out in another way, such as with the name in Latin letters.`}
                >
                  {(control) => (
                    <select {...control} name="unprintable">
                      <option value="refuse">Refuse the file</option>
                      <option value="leave_out" selected={values.unprintable === "leave_out"}>
                        Continue without{" "}
                        {unprintable === 1 ? "this row" : `these ${formatCount(unprintable)} rows`}
                      </option>
                    </select>
                  )}
                </Field>
              )}
              <Field
                name="batch-file"
                label="File"
                hint={refused === undefined
                  ? "Required."
                  : "Required. Choose it again: browsers do not keep a file."}
                required
                problem={issues.file}
              >
                {(control) => <input {...control} name="file" type="file" accept=".csv,text/csv" />}
              </Field>
              <div class="actions">
                <button type="submit" class="button primary">Check the file</button>
              </div>
            </Card>
          </div>
        </form>
      </div>
    </>
  );
}

/** Links to the fields and rows with problems. */
function Summary({ issues, problem, list }: {
  issues: Record<string, string>;
  problem: string | undefined;
  list: ProblemList | undefined;
}) {
  const rows = list?.rows ?? [];
  const total = list?.problems ?? 0;
  const problems: SummaryProblem[] = [
    ...problem === undefined ? [] : [{ text: problem }],
    ...Object.entries(issues).map(([name, text]) => ({
      text: `${LABELS[name] ?? name}: ${text}`,
      target: `field-batch-${name}`,
    })),
    ...rows.slice(0, MOST_LINKED).map(({ line, column, reason }, i) => ({
      text: `Line ${line}${column === null ? "" : `, ${column}`}: ${reason}`,
      target: problemId(i),
    })),
  ];
  const more = total > MOST_LINKED
    ? { text: `All ${plural(total, "problem")} of the file`, target: "problems" }
    : undefined;
  return <ErrorSummary problems={problems} more={more} />;
}

const LABELS: Record<string, string> = {
  ...Object.fromEntries([...REQUIRED, ...OPTIONAL].map(({ name, label }) => [name, label])),
  mode: "Mode",
  unprintable: "Rows that cannot be printed",
  batch_title: "Name of the batch",
  file: "File",
};
