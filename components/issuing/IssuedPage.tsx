/** The console's page about one issued document, with its timeline and the form to withdraw it. */
import type { ComponentChildren } from "preact";
import { formatDay } from "../../lib/base/time.ts";
import { batchPath } from "../../lib/features/issuing/console_batches.ts";
import { canMailAgain } from "./issued_acts.ts";
import type { TimelineEntry } from "../../lib/features/issuing/issued_timeline.ts";
import {
  batchOf,
  currentVersion,
  formatDocumentId,
  isReasonPublic,
  latestVersion,
} from "../../lib/features/documents/mod.ts";
import { issuedStateOf, type Listed } from "../../lib/features/issuing/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { ActionResult } from "../ActionResult.tsx";
import { ReasonField } from "../documents/DocumentFields.tsx";
import { kindLabel } from "../documents/texts.ts";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { Time } from "../Time.tsx";
import { Card } from "../console_parts.tsx";
import { IssuedPill } from "./IssuedState.tsx";

interface IssuedPageProps {
  listed: Listed;
  path: string;
  /** The URL of the page that everybody sees; null if it is not served here. */
  publicUrl: string | null;
  /** The path of the page about the mail to the recipient; null if none was sent or the address is erased. */
  mailPath: string | null;
  /** True if the recipient's address gets no documents, because an email came back or was reported as spam. */
  stopped: boolean;
  /** The path to issue certificates from a file; null if the issuer may not. */
  uploadPath: string | null;
  /** The URL of the guide to replacing a document; null if it is not served here. */
  guideUrl: string | null;
  timeline: readonly TimelineEntry[];
  /** Its pages, or why they are not shown. */
  pages: ComponentChildren;
  now: number;
  result: ShownResult | null;
  refused?: RefusedForm;
}

/** One document of an issuer, for full administrators: whose it is, what happened to it, and what can be done. */
export function IssuedPage(props: IssuedPageProps) {
  const { listed, path, timeline, pages, now, result, refused } = props;
  const { document } = listed;
  const name = nameOf(listed);
  const { issues = {}, problem } = refused ?? {};
  return (
    <>
      {refused !== undefined && (
        <ErrorSummary
          problems={issues.reason === undefined
            ? [{ text: problem ?? "Some fields are invalid." }]
            : [{ text: `Reason: ${issues.reason}`, target: "field-reason" }]}
        />
      )}
      <p class="eyebrow">Document {formatDocumentId(document.id)}</p>
      <h1 class="below-4 anywhere">
        {name} <IssuedPill state={issuedStateOf(listed, now)} />{" "}
        {document.test && <span class="pill">Test</span>}
      </h1>
      {result !== null && <ActionResult result={result} action={path} />}
      <div class="issued-page stack top gap-4">
        <div class="stack gap-4">
          <Card id="about" title={document.title}>
            <About {...props} />
          </Card>
          <Card id="timeline" title="Timeline">
            <ol class="stack gap-3">
              {timeline.map(({ at, what, detail }, i) => (
                <li key={i} class={i === 0 ? "stack anywhere" : "stack ruled pad-top-3 anywhere"}>
                  <span>
                    {what}
                    {detail !== undefined && <span class="muted">, {detail}</span>}
                  </span>
                  <Time class="muted text-small" at={at} />
                </li>
              ))}
            </ol>
          </Card>
          <Card id="actions" title="What you can do">
            <Actions {...props} />
          </Card>
        </div>
        <Card id="pages" title="The document">{pages}</Card>
      </div>
    </>
  );
}

/** Returns how the page names the recipient of a document. */
const nameOf = ({ document, recipient }: Listed): string =>
  document.named ?? recipient?.name ??
    (recipient === null ? "Added to a record" : "Recipient’s name erased");

function About({ listed: { document, recipient }, publicUrl, mailPath }: IssuedPageProps) {
  const { external_id, kind, date, expires_at, record, issuer } = document;
  const { by } = latestVersion(document);
  const batch = batchOf(by);
  return (
    <dl class="facts gap-1-4">
      <dt>Recipient</dt>
      <dd class="anywhere">
        {recipient === null
          ? "The holder of the record"
          : recipient.email ?? "The address is erased"}
        {mailPath !== null && (
          <>
            {" "}
            <a class="nowrap" href={mailPath}>Where is the email?</a>
          </>
        )}
      </dd>
      <dt>External id</dt>
      <dd class="anywhere">{external_id ?? "none"}</dd>
      <dt>Type</dt>
      <dd class="anywhere">{kindLabel(kind)}</dd>
      {date !== undefined && (
        <>
          <dt>Date</dt>
          <dd>{formatDay(date)}</dd>
        </>
      )}
      {expires_at !== null && (
        <>
          <dt>Valid until</dt>
          <dd>{formatDay(expires_at)}</dd>
        </>
      )}
      {batch !== null && (
        <>
          <dt>Batch</dt>
          <dd>
            <a href={batchPath({ issuer: issuer.id, id: batch })}>The batch with this document</a>
          </dd>
        </>
      )}
      {record !== null && (
        <>
          <dt>Record</dt>
          <dd>
            <a href={`/console/records/${record}/documents/${document.id}`}>
              The document in its record
            </a>
          </dd>
        </>
      )}
      {publicUrl !== null && (
        <>
          <dt>Page</dt>
          <dd>
            <a href={publicUrl}>What everybody sees</a>
          </dd>
        </>
      )}
    </dl>
  );
}

function Actions(
  { listed, path, mailPath, stopped, uploadPath, guideUrl, now, refused }: IssuedPageProps,
) {
  const { document, recipient } = listed;
  const canMail = canMailAgain(listed);
  const canWithdraw = currentVersion(document) !== null;
  if (!canMail && !canWithdraw) return <NotInForce {...{ listed, now, uploadPath }} />;
  return (
    <div class="stack gap-4">
      {canMail && stopped && (
        <p class="flush">
          The recipient cannot be emailed: no document is emailed to this address any more.{" "}
          {mailPath !== null && <a href={mailPath}>See why</a>}
        </p>
      )}
      {canMail && !stopped && (
        <form method="post" action={path}>
          <input type="hidden" name="act" value="mail" />
          <p>The email leads to all documents that are waiting for this recipient.</p>
          <button type="submit" class="button">Email {recipient?.name} again</button>
        </form>
      )}
      {canWithdraw && <Withdrawal {...{ listed, path, guideUrl, refused }} />}
    </div>
  );
}

/** Says how a document that is not in force can be so again, for example after a withdrawal by mistake. */
function NotInForce(
  { listed, now, uploadPath }: Pick<IssuedPageProps, "listed" | "now" | "uploadPath">,
) {
  const { document: { record, id, erased_at }, recipient } = listed;
  const again = issuedStateOf(listed, now) === "withdrawn" ? uploadPath : null;
  const isOver = erased_at !== undefined || recipient?.state === "refused" ||
    recipient?.name === null;
  if (isOver) return <p class="flush muted">Nothing: it is not in force.</p>;
  return (
    <p class="flush">
      It is not in force. A new version puts it in force again, under the same number.{" "}
      {record === null
        ? (
          <>
            The issuer adds one through the API.{again !== null && (
              <>
                {" "}To issue it under a new number,{" "}
                <a href={again}>issue certificates from a file</a> with one row.
              </>
            )}
          </>
        )
        : (
          <a href={`/console/records/${record}/documents/${id}#changes`}>
            Add a new version
          </a>
        )}
    </p>
  );
}

/** Says who is mailed about a withdrawal. */
function whoIsMailed(listed: Listed): string {
  if (listed.document.record !== null) {
    return "The holder is not emailed, but readers with access are.";
  }
  return canMailAgain(listed)
    ? "The recipient is not emailed, but the link in the email about the document then says so too."
    : "Nobody is emailed about it.";
}

/** Names the person and the document before anything happens, because it cannot be taken back. */
function Withdrawal(
  { listed, path, guideUrl, refused }: Pick<
    IssuedPageProps,
    "listed" | "path" | "guideUrl" | "refused"
  >,
) {
  const { document } = listed;
  const name = nameOf(listed);
  return (
    <details class="choice" open={refused !== undefined}>
      <summary class="button">Withdraw…</summary>
      <p>
        You are about to withdraw <strong>“{document.title}”</strong> of{" "}
        <strong>{name}</strong>, number{" "}
        <span class="mono">{formatDocumentId(document.id)}</span>. Its page then says that it was
        withdrawn{isReasonPublic(document)
          ? ", and why: everybody who opens the page sees the reason."
          : ". The issuer and the holder of the record see the reason."} {whoIsMailed(listed)}{" "}
        This can’t be undone.
      </p>
      {guideUrl !== null && (
        <p>
          If the document has a mistake, the issuer can{" "}
          <a href={guideUrl}>replace it through the API</a> instead. Its number stays the same.
        </p>
      )}
      <form method="post" action={path}>
        <input type="hidden" name="act" value="withdraw" />
        <ReasonField label="Reason (required)" refused={refused} />
        <button type="submit" class="button danger">Withdraw the document of {name}</button>
      </form>
    </details>
  );
}
