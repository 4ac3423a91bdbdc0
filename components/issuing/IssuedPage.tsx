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
            <a class="nowrap" href={mailPath}>Where is the mail?</a>
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

function Actions({ listed, path, refused }: IssuedPageProps) {
  const { document, recipient } = listed;
  const canMail = canMailAgain(listed);
  const canWithdraw = currentVersion(document) !== null;
  if (!canMail && !canWithdraw) return <p class="flush muted">Nothing: it is not in force.</p>;
  return (
    <div class="stack gap-4">
      {canMail && (
        <form method="post" action={path}>
          <input type="hidden" name="act" value="mail" />
          <p>The mail leads to all documents that wait for this recipient.</p>
          <button type="submit" class="button">Mail {recipient?.name} again</button>
        </form>
      )}
      {canWithdraw && <Withdrawal {...{ listed, path, refused }} />}
    </div>
  );
}

/** Says who is mailed about a withdrawal. */
function whoIsMailed(listed: Listed): string {
  if (listed.document.record !== null) {
    return "The holder is not mailed, but readers with access are.";
  }
  return canMailAgain(listed)
    ? "The recipient is not mailed, but the link in the mail about the document then says so too."
    : "Nobody is mailed about it.";
}

/** Names the person and the document before anything happens, because it cannot be taken back. */
function Withdrawal(
  { listed, path, refused }: Pick<IssuedPageProps, "listed" | "path" | "refused">,
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
      <form method="post" action={path}>
        <input type="hidden" name="act" value="withdraw" />
        <ReasonField label="Reason (required)" refused={refused} />
        <button type="submit" class="button danger">Withdraw the document of {name}</button>
      </form>
    </details>
  );
}
