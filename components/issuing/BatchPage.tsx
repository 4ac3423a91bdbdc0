/** The console's page about a batch of certificates once it is being issued. */
import type { ComponentChildren } from "preact";
import {
  type BatchRow,
  isDue,
  isFinished,
  type StopReason,
} from "../../lib/features/issuing/batches/mod.ts";
import { formatCount, formatDateTime, plural } from "../../lib/base/time.ts";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { Time } from "../Time.tsx";
import { Card } from "../console_parts.tsx";
import { BatchPill } from "./BatchesPage.tsx";
import { PROGRESS_ID } from "./BatchProgress.tsx";

const STOPPED: Record<StopReason, string> = {
  issuer_suspended:
    "It has stopped, because the issuer is suspended. It continues if the issuer is active again before " +
    "the emails are due. Otherwise it is undone.",
  key_revoked:
    "It has stopped, because the key that sent it was revoked. Undo it, or send it yourself. " +
    "Once the emails are due, it is undone.",
  mail_returned:
    "It has stopped, because many of its emails came back, and email to addresses that do not work gets the sender " +
    "blocked for everybody. Ask the issuer where the addresses are from: the rows below say which came back, and " +
    "why. Then send the rest of the emails, or undo the documents that nobody was emailed about. After three days " +
    "without a decision, they are undone.",
};

interface BatchPageProps {
  batch: BatchRow;
  /** Why it does not continue by itself. */
  stopped: StopReason | null;
  path: string;
  now: number;
  /** The table of its rows. */
  rows: ComponentChildren;
  problem?: string;
}

/** A batch of documents: its progress, what an administrator can do about it, and its rows. */
export function BatchPage({ stopped, path, now, rows, problem, ...props }: BatchPageProps) {
  const batch = isDue(props.batch, now) ? sendingOf(props.batch) : props.batch;
  const { state, at } = batch;
  const isWorking = stopped === null && !isFinished(batch) && state !== "holding";
  const canUndo = state === "issuing" || state === "holding" || stopped === "mail_returned";
  return (
    <>
      {problem !== undefined && <ErrorSummary problems={[{ text: problem }]} />}
      <div id={PROGRESS_ID} data-working={isWorking ? "" : undefined}>
        <h1 class="below-4 anywhere">
          {batch.title} <BatchPill batch={batch} /> {batch.test && <span class="pill">Test</span>}
        </h1>
        <div class="stack gap-4">
          <Card id="progress" title="Progress">
            <p>{stopped === null ? textOf(batch) : STOPPED[stopped]}</p>
            {isWorking && (
              <p>
                <progress value={at} max={Math.max(1, batch.rows)} aria-label="Progress" />{" "}
                <span class="muted digits">
                  {formatCount(at)} of {formatCount(batch.rows)}
                </span>{" "}
                <noscript>
                  <a href={path}>Reload</a>
                </noscript>
              </p>
            )}
            {canUndo && <Choices {...{ batch, stopped, path }} />}
            <Facts batch={batch} />
            <p>
              <a href={`${path}/results`}>Download the outcome of each row (CSV)</a>
              <span class="muted">, kept until {formatDateTime(batch.expires_at)}</span>
            </p>
          </Card>
          {rows}
        </div>
      </div>
    </>
  );
}

/** As if the job had begun to send the mails, because it does so within seconds. */
const sendingOf = (batch: BatchRow): BatchRow => ({ ...batch, state: "sending", at: 0 });

function Facts({ batch }: { batch: BatchRow }) {
  const { rows, issued, failed, sent, returned, removed, kept } = batch;
  const counts: [string, number][] = [
    ["Rows", rows],
    ["Issued", issued],
    ["Failed", failed],
    ...batch.test ? [] : [["Emailed", sent] as [string, number]],
    ...returned > 0 ? [["Came back", returned] as [string, number]] : [],
    ...removed > 0 ? [["Undone", removed] as [string, number]] : [],
    ...kept > 0 ? [["Kept", kept] as [string, number]] : [],
  ];
  return (
    <dl class="facts above-4">
      {counts.map(([name, count]) => (
        <>
          <dt>{name}</dt>
          <dd class="digits">{formatCount(count)}</dd>
        </>
      ))}
      <dt>File</dt>
      <dd class="anywhere">{batch.file_name ?? "sent without a name"}</dd>
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
  );
}

function textOf({ state, send_at, issued, sent, returned, kept, test }: BatchRow): string {
  switch (state) {
    case "issuing":
      return test
        ? "Documents are being issued. Nobody is emailed about tests."
        : send_at === null
        ? "Documents are being issued. Their recipients are emailed an hour after the last one."
        : "Documents are being issued. Their recipients are emailed after the last one.";
    case "holding":
      return `The documents are issued, and you can look at each of them below. ${
        test ? "The test ends" : "Their recipients are emailed"
      } on ${formatDateTime(send_at!)}.`;
    case "sending":
      return test ? "The test is ending." : "The emails are being sent.";
    case "undoing":
      return "The documents are being erased.";
    case "undone":
      return sent + kept === 0
        ? "The documents are erased. Nobody was emailed about them."
        : "The documents are erased, except those whose recipients already know about them.";
    default:
      return issued === 0
        ? "No document could be issued."
        : returned === 0
        ? "Everything is done."
        : `All emails were sent, but ${
          plural(returned, "email")
        } came back: the rows below say which, and why. Ask the issuer for the right addresses.`;
  }
}

/** The choices before the mails leave. Both ask for confirmation, because neither can be undone. */
function Choices({ batch, stopped, path }: {
  batch: BatchRow;
  stopped: StopReason | null;
  path: string;
}) {
  const { state, issued, failed, sent, people, test } = batch;
  const isPartlySent = stopped === "mail_returned";
  const canSend = issued > 0 &&
    (state === "holding" || stopped === "key_revoked" || isPartlySent);
  const left = isPartlySent ? issued - sent : people;
  const mails = `${failed > 0 || isPartlySent ? "at most " : ""}${plural(left, "email")}`;
  return (
    <div class="wrap gap-2-4 choices">
      {canSend && (
        <Choice
          id="send"
          act="send"
          path={path}
          submit={test ? "End the wait now" : `Send ${mails} now`}
        >
          <summary class="button primary">
            {test ? "End the wait…" : isPartlySent ? "Send the rest…" : "Send now…"}
          </summary>
          <p>
            {test
              ? "The batch is then done. Nobody is emailed about tests."
              : `${mails[0].toUpperCase()}${
                mails.slice(1)
              } are sent immediately, one to each recipient. ` +
                "This can’t be taken back; documents can be withdrawn later."}
          </p>
        </Choice>
      )}
      <Choice
        id="undo"
        act="cancel"
        path={path}
        submit={`Undo and erase ${plural(isPartlySent ? left : issued, "document")}`}
        danger
      >
        <summary class="button">Undo…</summary>
        <p>
          {isPartlySent
            ? "Nobody else is emailed, and their documents"
            : "Nobody is emailed. The documents of this batch"}{" "}
          are erased, together with the data of recipients who have no other document. This can’t be
          undone.
        </p>
      </Choice>
    </div>
  );
}

const Choice = ({ id, act, path, submit, danger = false, children }: {
  id: string;
  act: "send" | "cancel";
  path: string;
  submit: string;
  danger?: boolean;
  children: ComponentChildren;
}) => (
  <details id={id} class="choice" name="choice">
    {children}
    <form method="post" action={path}>
      <input type="hidden" name="act" value={act} />
      <button type="submit" class={danger ? "button danger" : "button primary"}>{submit}</button>
    </form>
  </details>
);
