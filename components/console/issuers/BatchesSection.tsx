import {
  type BatchRow,
  isFinished,
  MAX_FILE,
  MAX_ROWS,
  type RowProblem,
  type SharedColumn,
} from "../../../lib/features/issuing/batches/mod.ts";
import { formatCount, plural } from "../../../lib/base/time.ts";
import { Field } from "../../Field.tsx";
import { Time } from "../../Time.tsx";
import { refusedForm } from "./IssuerForm.tsx";
import type { IssuerSection, IssuerView } from "./section.ts";

/** How many batches of each mode the page shows. */
const LATEST = 5;

export const batchesSection: IssuerSection<BatchRow[]> = {
  id: "batches",
  title: "Batches",
  async read({ id, state: { services: { batches }, surface } }) {
    if (surface.organisation !== "commercial") return [];
    const lists = await Promise.all(
      [false, true].map((test) => batches.list({ issuer: { id }, test }, LATEST)),
    );
    return lists.flat().sort((a, b) => a.created_at < b.created_at ? 1 : -1);
  },
  show(view, rows) {
    if (view.issuer.organisation !== "commercial") return null;
    return {
      count: rows.filter((batch) => !isFinished(batch)).length,
      content: (
        <>
          {rows.length === 0
            ? <p class="muted">None in the last 90 days.</p>
            : (
              <ul class="record-rows">
                {rows.map((batch) => <Batch key={batch.id} {...{ view, batch }} />)}
              </ul>
            )}
          {view.issuer.state === "active" && <UploadForm view={view} />}
        </>
      ),
    };
  },
};

function Batch({ view, batch }: { view: IssuerView; batch: BatchRow }) {
  return (
    <li class="stack baseline gap-0-4 ruled anywhere">
      <span>
        <a href={`${view.path}/batches/${batch.id}`}>{batch.file_name ?? "A file"}</a>
        <BatchPill batch={batch} />
        {batch.test && <span class="pill">Test</span>}
      </span>
      <Time class="muted text-small" at={batch.created_at} />
      <span class="muted text-small">
        {plural(batch.rows, "row")}
        {batch.failed > 0 && `, ${formatCount(batch.failed)} failed`}
      </span>
    </li>
  );
}

const PILLS: Record<BatchRow["state"], { text: string; pill: string }> = {
  storing: { text: "Storing", pill: "" },
  issuing: { text: "Issuing", pill: "warn" },
  holding: { text: "Mails wait", pill: "warn" },
  sending: { text: "Sending", pill: "warn" },
  done: { text: "Done", pill: "good" },
  undoing: { text: "Undoing", pill: "warn" },
  undone: { text: "Undone", pill: "" },
};

export function BatchPill({ batch: { state } }: { batch: BatchRow }) {
  return <span class={`pill ${PILLS[state].pill}`.trim()}>{PILLS[state].text}</span>;
}

const SHARED: readonly { name: SharedColumn; label: string; value?: string; type?: string }[] = [
  { name: "title", label: "Title" },
  { name: "type", label: "Type", value: "Certificate" },
  { name: "date", label: "Date", type: "date" },
  { name: "expires_on", label: "Valid until", type: "date" },
  { name: "subtitle", label: "Subtitle" },
  { name: "grade", label: "Grade" },
  { name: "signatory", label: "Signatory" },
  { name: "signatory_title", label: "Office of the signatory" },
];

function UploadForm({ view }: { view: IssuerView }) {
  const refused = refusedForm(view, "add_batch");
  const { values = {}, issues = {}, problem, details } = refused ?? {};
  return (
    <details open={refused !== undefined}>
      <summary>Issue certificates from a file</summary>
      <p>
        A CSV file in UTF-8 with a row for each certificate, at most {formatCount(MAX_ROWS)}{" "}
        rows and {MAX_FILE / 1024 / 1024} MiB. Its first row names the columns: <code>name</code>
        {" "}
        and <code>email</code>, and any of <code>external_id</code>, <code>body</code>{" "}
        and those below. The file is checked as a whole before anything is issued. The recipients
        are mailed an hour later; until then, you can undo it.
      </p>
      {problem !== undefined && <p class="problem" role="alert">{problem}</p>}
      {details !== undefined && <Problems {...details as unknown as ProblemList} />}
      <form
        method="post"
        action={`${view.path}/batches`}
        encType="multipart/form-data"
      >
        <Field name="batch-mode" label="Mode">
          {(control) => (
            <select {...control} name="mode">
              <option value="test">A test: nobody is mailed</option>
              <option value="live" selected={values.mode === "live"}>For real recipients</option>
            </select>
          )}
        </Field>
        <h3 class="above-4 below-3">For all rows that do not have their own</h3>
        {SHARED.map(({ name, label, value, type }) => (
          <Field key={name} name={`batch-${name}`} label={label} problem={issues[name]}>
            {(control) => (
              <input
                {...control}
                name={name}
                type={type ?? "text"}
                value={values[name] ?? value}
                autocomplete="off"
              />
            )}
          </Field>
        ))}
        <Field name="batch-file" label="File" required problem={issues.file}>
          {(control) => <input {...control} name="file" type="file" accept=".csv,text/csv" />}
        </Field>
        <button type="submit" class="button primary">Check the file and issue</button>
      </form>
    </details>
  );
}

interface ProblemList {
  rows: RowProblem[];
  problems: number;
}

/** How many problems the page shows. The API names up to a thousand. */
const MOST_SHOWN = 200;

function Problems({ rows, problems }: ProblemList) {
  return (
    <>
      <div class="table-scroll below-4">
        <table class="table text-small">
          <caption class="visually-hidden">Problems of the file</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Column</th>
              <th scope="col">Problem</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_SHOWN).map(({ line, column, value, reason }, i) => (
              <tr key={i}>
                <td class="digits">{line}</td>
                <td>{column === null ? "–" : <code>{column}</code>}</td>
                <td class="anywhere">
                  {value !== undefined && <span class="muted">“{value}”</span>} {reason}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problems > MOST_SHOWN && (
        <p class="note">
          The first {MOST_SHOWN} of {plural(problems, "problem")}.
        </p>
      )}
    </>
  );
}
