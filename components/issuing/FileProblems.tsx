/** The table of errors in an uploaded file of certificates, by line. */
import type { ComponentChildren } from "preact";
import { plural } from "../../lib/base/time.ts";
import type { RowProblem } from "../../lib/features/issuing/batches/mod.ts";
import { Card } from "../console_parts.tsx";

/** How many problems the page shows. The API names up to a thousand. */
const MOST_SHOWN = 200;

/** Returns the id of a problem in the table, for links. */
export const problemId = (i: number): string => `problem-${i + 1}`;

/** The problems of a file, by line. */
export const FileProblems = ({ rows, problems, children }: {
  rows: readonly RowProblem[];
  /** The number of all. */
  problems: number;
  /** The ways on, above the table. */
  children?: ComponentChildren;
}) => (
  <Card id="problems" title="Problems in the file">
    {children}
    <ProblemTable rows={rows.slice(0, MOST_SHOWN)} caption="Problems in the file" />
    {problems > MOST_SHOWN && (
      <p class="note">
        The first {MOST_SHOWN} of {plural(problems, "problem")}.
      </p>
    )}
  </Card>
);

/** Problems or warnings of a file. Lines count from 1, as in a spreadsheet. */
export const ProblemTable = (
  { rows, caption }: { rows: readonly RowProblem[]; caption: string },
) => (
  <div class="table-scroll" tabindex={0} role="region" aria-label={caption}>
    <table class="table text-small problem-table">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Column</th>
          <th scope="col">Problem</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ line, column, value, reason }, i) => (
          <tr key={i} id={problemId(i)} tabindex={-1}>
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
);
