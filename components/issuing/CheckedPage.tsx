/** The console's page about an uploaded batch that waits for approval, with sample certificates. */
import type { ComponentChildren } from "preact";
import { batchPath } from "../../lib/features/issuing/console_batches.ts";
import { formatCount, formatDateTime, plural } from "../../lib/base/time.ts";
import {
  type BatchLine,
  type BatchRow,
  CHECKED_MS,
} from "../../lib/features/issuing/batches/mod.ts";
import { isoAfter } from "../../lib/platform/kv/mod.ts";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { Card, PageHead } from "../console_parts.tsx";
import { ProblemTable } from "./FileProblems.tsx";

/** A certificate that the page shows, and why. */
export interface Sample {
  id: "first" | "longest" | "chosen";
  line: BatchLine;
}

interface CheckedPageProps {
  batch: BatchRow;
  /** The batch in which the same rows were issued already; null if they were not. */
  issuedBefore: BatchRow | null;
  samples: readonly Sample[];
  /** The number of another row to look at. */
  another: number;
  path: string;
  /** Draws a certificate in the browser. */
  draw: (fileUrl: string, label: string) => ComponentChildren;
  /** The table of all rows. */
  rows: ComponentChildren;
  problem?: string;
}

const TITLES: Record<Sample["id"], string> = {
  first: "The first",
  longest: "The longest texts",
  chosen: "One of the others",
};

/** A checked file before anything is issued: what it will make, and the button that issues it. */
export function CheckedPage(props: CheckedPageProps) {
  const { batch, issuedBefore, samples, another, path, draw, rows, problem } = props;
  const { test, found, rows: count, people } = batch;
  const things = test ? plural(count, "test certificate") : plural(count, "certificate");
  const until = isoAfter(Date.parse(batch.created_at), CHECKED_MS);
  return (
    <>
      {problem !== undefined && <ErrorSummary problems={[{ text: problem }]} />}
      <PageHead
        title={batch.title}
        lead={`${things} for ${plural(people, "recipient")}. Nothing is issued yet.`}
      />
      <div class="stack gap-4">
        {issuedBefore !== null && (
          <Card id="issued-before" title="Issued already">
            <p class="anywhere">
              These rows were issued on {formatDateTime(issuedBefore.created_at)}, as{" "}
              “<a href={batchPath(issuedBefore)}>{issuedBefore.title}</a>”. Issue them again only if
              everybody should get a second certificate.
            </p>
          </Card>
        )}
        {found !== null && found.warned > 0 && (
          <Card id="warnings" title={`${plural(found.warned, "warning")}`}>
            <p>The file has no error, but look at these rows. You can issue it as it is.</p>
            <ProblemTable rows={found.warnings} caption="Warnings" />
            {found.warned > found.warnings.length && (
              <p class="note">The first {found.warnings.length}.</p>
            )}
          </Card>
        )}
        <Card id="look" title="Look at them">
          <p>
            {found !== null && found.warned === 0 && issuedBefore === null && "No warnings. "}
            They are shown as they will be issued, but without the number, which is printed on each
            page of the issued copy.
          </p>
          <div class="samples stack gap-5">
            {samples.map(({ id, line }) => <Shown key={id} {...{ id, line, path, draw }} />)}
          </div>
          {count > 1 && (
            <p>
              <a class="button small" href={`${path}?row=${another}#look`}>Another one at random</a>
            </p>
          )}
        </Card>
        <Card id="issue" title={`Issue ${things}`}>
          <p>
            {test
              ? "Nobody is emailed about tests."
              : `${plural(people, "recipient")} ${
                people === 1 ? "is" : "are"
              } emailed an hour after the ` +
                "last one is issued. Until then, you can look at each of them, send the emails sooner, or " +
                "undo everything."}{" "}
            <span class="muted">
              From {batch.file_name ?? "a file"}, kept until {formatDateTime(until)}.
            </span>
          </p>
          <div class="actions">
            <form method="post" action={path}>
              <input type="hidden" name="act" value="issue" />
              <button type="submit" class="button primary">
                Issue {formatCount(count)} {test ? "test " : ""}
                {count === 1 ? "certificate" : "certificates"}
              </button>
            </form>
            <form method="post" action={path}>
              <input type="hidden" name="act" value="discard" />
              <button type="submit" class="button">Discard, and choose another file</button>
            </form>
          </div>
        </Card>
        {rows}
      </div>
    </>
  );
}

function Shown({ id, line: { n, line, values }, path, draw }: Sample & {
  path: string;
  draw: CheckedPageProps["draw"];
}) {
  const file = `${path}/rows/${n}`;
  const name = values!.name;
  return (
    <figure id={id} class="flush">
      <figcaption class="stack gap-1 below-3">
        <strong>{TITLES[id]}</strong>
        <span class="anywhere">{name}</span>
        <span class="muted text-small">line {line}</span>
      </figcaption>
      {draw(file, `The certificate of ${name}`)}
      <p class="text-small">
        <a href={file} download>
          Download<span class="visually-hidden">{` the certificate of ${name}`}</span>
        </a>
      </p>
    </figure>
  );
}
