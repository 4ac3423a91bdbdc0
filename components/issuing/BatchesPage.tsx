/** The console's list of an issuer's batches, and the label for a batch's state. */
import type { ComponentChildren } from "preact";
import { batchPath } from "../../lib/features/issuing/console_batches.ts";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";
import { type BatchRow, CHECKED_MS } from "../../lib/features/issuing/batches/mod.ts";
import { isoAfter } from "../../lib/platform/kv/mod.ts";
import { formatCount, formatDateTime, plural } from "../../lib/base/time.ts";
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import { StateNote } from "../StateNote.tsx";
import { Time } from "../Time.tsx";
import { Card } from "../console_parts.tsx";

interface BatchesPageProps {
  issuer: IssuerRow;
  /** Files that are checked and not issued yet, the newest first. */
  checked: readonly BatchRow[];
  begun: readonly BatchRow[];
}

/** The batches of an issuer, for full administrators, and the way to a new one. */
export function BatchesPage({ issuer, checked, begun }: BatchesPageProps) {
  return (
    <>
      {issuer.state === "active"
        ? (
          <p class="below-5">
            <a class="button primary" href={`${issuerPath(issuer.id)}/batches/new`}>
              Issue certificates from a file
            </a>
          </p>
        )
        : <p class="note">The issuer is not active, so it cannot issue documents.</p>}
      <div class="stack gap-4">
        {checked.length > 0 && (
          <Card id="checked" title="Checked, not issued yet">
            <ul class="record-rows">
              {checked.map((batch) => (
                <Batch key={batch.id} batch={batch}>
                  kept until {formatDateTime(isoAfter(Date.parse(batch.created_at), CHECKED_MS))}
                </Batch>
              ))}
            </ul>
          </Card>
        )}
        {begun.length === 0
          ? (
            <StateNote kind="empty" title="No batches in the last 90 days">
              <p>Documents that are issued with one file appear here as a batch.</p>
            </StateNote>
          )
          : (
            <Card id="batches" title="The last 90 days">
              <ul class="record-rows">
                {begun.map((batch) => <Batch key={batch.id} batch={batch} />)}
              </ul>
            </Card>
          )}
      </div>
    </>
  );
}

function Batch({ batch, children }: {
  batch: BatchRow;
  children?: ComponentChildren;
}) {
  return (
    <li class="stack baseline gap-0-4 ruled anywhere">
      <span>
        <a href={batchPath(batch)}>{batch.title}</a> <BatchPill batch={batch} />{" "}
        {batch.test && <span class="pill">Test</span>}
      </span>
      <Time class="muted text-small" at={batch.created_at} />
      <span class="muted text-small">
        {plural(batch.rows, "row")}
        {batch.failed > 0 && `, ${formatCount(batch.failed)} failed`}
        {batch.file_name !== null && `, from ${batch.file_name}`}
        {children !== undefined && <>, {children}</>}
      </span>
    </li>
  );
}

const PILLS: Record<BatchRow["state"], { text: string; pill: string }> = {
  storing: { text: "Storing", pill: "" },
  checked: { text: "Not issued", pill: "" },
  issuing: { text: "Issuing", pill: "warn" },
  holding: { text: "Emails waiting", pill: "warn" },
  sending: { text: "Sending", pill: "warn" },
  done: { text: "Done", pill: "good" },
  undoing: { text: "Undoing", pill: "warn" },
  undone: { text: "Undone", pill: "" },
};

export function BatchPill(
  { batch: { state, stopped_at, issued } }: {
    batch: Pick<BatchRow, "state" | "stopped_at" | "issued">;
  },
) {
  if (stopped_at !== null) return <span class="pill bad">Stopped</span>;
  if (state === "done" && issued === 0) return <span class="pill bad">None issued</span>;
  return <span class={`pill ${PILLS[state].pill}`.trim()}>{PILLS[state].text}</span>;
}
