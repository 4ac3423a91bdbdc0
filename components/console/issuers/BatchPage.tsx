import {
  type BatchRow,
  isFinished,
  type StopReason,
} from "../../../lib/features/issuing/batches/mod.ts";
import { formatCount, formatDateTime } from "../../../lib/base/time.ts";
import { Time } from "../../Time.tsx";
import { Card } from "../parts.tsx";
import { BatchPill } from "./BatchesSection.tsx";
import { PROGRESS_ID } from "./BatchProgress.tsx";

const STOPPED: Record<StopReason, string> = {
  issuer_suspended:
    "It has stopped, because the issuer is suspended. It continues if the issuer is active again before " +
    "the mails are due. Otherwise it is undone.",
  key_revoked:
    "It has stopped, because the key that sent it was revoked. Undo it, or send it yourself. " +
    "Once the mails are due, it is undone.",
};

interface BatchPageProps {
  batch: BatchRow;
  /** Why it does not continue by itself. */
  stopped: StopReason | null;
  path: string;
  problem?: string;
}

/** A batch of documents: its progress, and what an administrator can do about it. */
export function BatchPage({ batch, stopped, path, problem }: BatchPageProps) {
  const { state, rows, issued, failed, sent, removed, kept, at } = batch;
  const isWorking = stopped === null && !isFinished(batch) && state !== "holding";
  return (
    <div id={PROGRESS_ID} data-working={isWorking ? "" : undefined}>
      <h1 class="below-4 anywhere">
        {batch.file_name ?? "A file"} <BatchPill batch={batch} />{" "}
        {batch.test && <span class="pill">Test</span>}
      </h1>
      {problem !== undefined && <p class="problem" role="alert">{problem}</p>}
      <div class="stack gap-4">
        <Card id="progress" title="Progress">
          <p>{stopped === null ? textOf(batch) : STOPPED[stopped]}</p>
          {isWorking && (
            <p>
              <progress value={at} max={Math.max(1, rows)} aria-label="Progress" />{" "}
              <span class="muted digits">{formatCount(at)} of {formatCount(rows)}</span>{" "}
              <noscript>
                <a href={path}>Load again</a>
              </noscript>
            </p>
          )}
          <dl class="facts">
            <dt>Rows</dt>
            <dd class="digits">{formatCount(rows)}</dd>
            <dt>Issued</dt>
            <dd class="digits">{formatCount(issued)}</dd>
            <dt>Failed</dt>
            <dd class="digits">{formatCount(failed)}</dd>
            <dt>Mailed</dt>
            <dd class="digits">{batch.test ? "none: it is a test" : formatCount(sent)}</dd>
            {removed > 0 && (
              <>
                <dt>Undone</dt>
                <dd class="digits">{formatCount(removed)}</dd>
              </>
            )}
            {kept > 0 && (
              <>
                <dt>Kept</dt>
                <dd class="digits">{formatCount(kept)}</dd>
              </>
            )}
            <dt>Sent by</dt>
            <dd class="anywhere">{batch.by}</dd>
            <dt>Added</dt>
            <dd>
              <Time at={batch.created_at} />
            </dd>
            {batch.finished_at !== null && (
              <>
                <dt>Finished</dt>
                <dd>
                  <Time at={batch.finished_at} />
                </dd>
              </>
            )}
          </dl>
          <p>
            <a href={`${path}/results`}>The outcome of each row as a CSV file</a>
            <span class="muted">, kept until {formatDateTime(batch.expires_at)}</span>
          </p>
        </Card>
        {(state === "issuing" || state === "holding") && <Choices {...{ batch, path }} />}
      </div>
    </div>
  );
}

function textOf({ state, send_at, issued, sent, kept }: BatchRow): string {
  switch (state) {
    case "issuing":
      return send_at === null
        ? "Documents are being issued. Their recipients are mailed an hour after the last one."
        : "Documents are being issued. Their recipients are mailed after the last one.";
    case "holding":
      return `The documents are issued and can be checked. Their recipients are mailed on ${
        formatDateTime(send_at!)
      }.`;
    case "sending":
      return "The mails are being queued.";
    case "undoing":
      return "The documents are being erased.";
    case "undone":
      return sent + kept === 0
        ? "The documents are erased. Nobody was mailed about them."
        : "The documents are erased, except those whose recipients know of them.";
    default:
      return issued === 0 ? "No document could be issued." : "Everything is done.";
  }
}

function Choices({ batch: { issued, send_at }, path }: { batch: BatchRow; path: string }) {
  return (
    <Card id="choices" title="Before the mails are sent">
      <div class="actions">
        {(send_at === null || issued > 0) && (
          <form method="post" action={path}>
            <input type="hidden" name="act" value="send" />
            <button type="submit" class="button primary">Send now</button>
          </form>
        )}
        <details>
          <summary>Undo this batch</summary>
          <p>
            Its documents are erased, and so is what we know of recipients who have no other
            document. This can’t be undone.
          </p>
          <form method="post" action={path}>
            <input type="hidden" name="act" value="cancel" />
            <button type="submit" class="button danger">Undo and erase its documents</button>
          </form>
        </details>
      </div>
    </Card>
  );
}
