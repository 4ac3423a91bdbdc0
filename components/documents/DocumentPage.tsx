/** The console's page about one document of a record. */
import type { ComponentChildren } from "preact";
import {
  describeLeftOut,
  type DocumentRow,
  formatDocumentId,
  latestVersion,
  statusOf,
  type VersionLog,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { HashRows } from "../Groups.tsx";
import { StateNote } from "../StateNote.tsx";
import { formatSize } from "./check_texts.ts";
import { DocumentFields, FileField, ReasonField, VersionFields } from "./DocumentFields.tsx";
import { LogEntries } from "./LogEntries.tsx";
import { kindLabel, STATUS_COLOURS, STATUS_WORDS } from "./texts.ts";
import { Time } from "../Time.tsx";
import { STATE_TEXTS } from "./RecordDocuments.tsx";

/** The changes that an administrator can make to a document. */
type DocumentAction = "replace" | "withdraw" | "edit";

export interface DocumentPageProps {
  document: DocumentRow;
  /** The salts and statements that open the entries of its versions in the public log, by their numbers. */
  logs: ReadonlyMap<number, VersionLog>;
  /** The name of the record's holder. */
  holder: string;
  now: number;
  /** The address of the document's lock screen; null if it is not served here. */
  publicUrl: string | null;
  refused?: RefusedForm;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/**
 * One document, for full administrators: what it is, its newest version, and the forms that change it,
 * which open when they are needed.
 */
export function DocumentPage(
  { document, logs, holder, now, publicUrl, refused, result }: DocumentPageProps,
) {
  const isCurrent = document.versions.some(({ state }) => state === "current");
  const record = document.record!;
  const path = `/console/records/${record}/documents/${document.id}`;
  const [newest, ...earlier] = document.versions.toReversed();
  const status = statusOf(document, newest, now);
  return (
    <>
      <p class="back-link">
        <a href={`/console/records/${record}#documents`}>
          <span aria-hidden="true">←</span> {holder}, record <code>{record.slice(0, 8)}…</code>
        </a>
      </p>
      <h1 class="anywhere">{document.title}</h1>
      <p class="wrap gap-1-4 middle">
        <span class={`pill ${STATUS_COLOURS[status].pill}`}>{STATUS_WORDS[status]}</span>
        <span>{kindLabel(document.kind)}</span>
        <code class="muted">{formatDocumentId(document.id)}</code>
      </p>
      {result !== null && <ActionResult result={result} action={path} />}
      <p class="actions middle">
        <a class="button primary" href={`${path}/view`}>Read the document</a>
        {publicUrl !== null && <a class="button" href={publicUrl}>Public page</a>}
      </p>
      <div class="record-details">
        <section class="card" aria-labelledby="about">
          <h2 id="about">About it</h2>
          <dl class="facts">
            <dt>Issuer</dt>
            <dd>{document.issuer.name}</dd>
            <dt>Valid until</dt>
            <dd>
              {document.expires_at === null ? "No end" : <Time at={document.expires_at} day />}
            </dd>
            <dt>Title</dt>
            <dd>{document.public ? "Shown to everyone" : "Shown to readers only"}</dd>
            <dt>Confirmed to</dt>
            <dd>
              {document.guessable
                ? "The holder, administrators and people with access. Others see “No published match”."
                : "Anybody who checks the file"}
            </dd>
          </dl>
        </section>
        <section class="card" aria-labelledby="versions">
          <h2 id="versions">
            Version {newest.number} of {document.versions.length}
          </h2>
          <VersionFacts version={newest} log={logs.get(newest.number)} path={path} />
          {earlier.length > 0 && (
            <details class="above-4">
              <summary>{plural(earlier.length, "earlier version")}</summary>
              <ol class="managed-versions above-4" reversed>
                {earlier.map((version) => (
                  <li key={version.number} value={version.number}>
                    <p>
                      Version {version.number}, {STATE_TEXTS[version.state]}
                    </p>
                    <VersionFacts version={version} log={logs.get(version.number)} path={path} />
                  </li>
                ))}
              </ol>
            </details>
          )}
        </section>
        <section class="card document-changes" aria-labelledby="changes">
          <h2 id="changes">Change it</h2>
          <Change action="replace" title="Add a new version" refused={refused} upload>
            {(own) => (
              <>
                <p>
                  {isCurrent
                    ? "The new version replaces the current one."
                    : "The new version puts the document in force again. It may be the same file."}
                  {" "}
                  Earlier versions are kept.
                </p>
                <VersionFields refused={own} />
                <FileField refused={own} />
                <button type="submit" class="button primary">Add a version</button>
              </>
            )}
          </Change>
          <Change action="edit" title="Change the description" refused={refused}>
            {(own) => (
              <>
                <DocumentFields document={document} refused={own} />
                <button type="submit" class="button primary">Save</button>
              </>
            )}
          </Change>
          {isCurrent && (
            <Change action="withdraw" title={`Withdraw version ${newest.number}`} refused={refused}>
              {(own) => <Withdraw {...{ document }} refused={own} />}
            </Change>
          )}
        </section>
      </div>
    </>
  );
}

/** A form that is closed until it is needed, or if it was refused. */
function Change({ action, title, refused, upload = false, children }: {
  action: DocumentAction;
  title: string;
  refused?: RefusedForm;
  /** True if the form sends a file. */
  upload?: boolean;
  /** @param own the refused form, if it is this one */
  children: (own: RefusedForm | undefined) => ComponentChildren;
}) {
  const own = isOf(refused, action) ? refused : undefined;
  return (
    <details class="choice" open={own !== undefined}>
      <summary class="button">{title}</summary>
      {own?.problem !== undefined && (
        <StateNote kind="error" title="Nothing was changed">{own.problem}</StateNote>
      )}
      <form
        method="post"
        enctype={upload ? "multipart/form-data" : undefined}
      >
        <input type="hidden" name="act" value={action} />
        {children(own)}
      </form>
    </details>
  );
}

/** Asks first, because a withdrawal stays. */
function Withdraw({ document, refused }: Pick<DocumentPageProps, "document" | "refused">) {
  const { number } = latestVersion(document);
  return (
    <>
      <p>
        Withdraw version {number}{" "}
        of “{document.title}”? Everyone who opens or checks it will see that it was withdrawn
        {document.public
          ? ", and why"
          : ". The reason is not shown, because the document is not public"}. This can’t be undone.
      </p>
      <ReasonField label="Reason" refused={refused} />
      <button type="submit" class="button danger">Withdraw version {number}</button>
    </>
  );
}

/** Only the form that replaces the file can be refused before its action was read. */
const isOf = (
  refused: RefusedForm | undefined,
  action: DocumentAction,
): refused is RefusedForm => refused !== undefined && (refused.values.act ?? "replace") === action;

type Version = DocumentRow["versions"][number];

/** The file of a version, and who added it. Its hashes are shown on demand. */
const VersionFacts = (
  { version, log, path }: { version: Version; log: VersionLog | undefined; path: string },
) => {
  const { number, original, issued, file_name, at, by, withdrawn_at, withdrawn_reason } = version;
  return (
    <>
      <dl class="facts">
        <dt>File</dt>
        <dd class="anywhere">{file_name}</dd>
        <dt>Type</dt>
        <dd>{original.media_type.split(";")[0]}, {formatSize(original.size)}</dd>
        <dt>Added</dt>
        <dd>
          <Time at={at} /> by <span class="anywhere">{by}</span>
        </dd>
        {withdrawn_at !== undefined && (
          <>
            <dt>Withdrawn</dt>
            <dd>
              <Time at={withdrawn_at} />: {withdrawn_reason}
            </dd>
          </>
        )}
      </dl>
      <details>
        <summary>{issued === null ? "Hash" : "Hashes"} of version {number}</summary>
        <p class="flush">SHA-256 of the original</p>
        <HashRows hash={original.sha256} />
        {issued !== null && (
          <>
            <p class="flush above-3">SHA-256 of the issued copy</p>
            <HashRows hash={issued.sha256} />
          </>
        )}
        {log !== undefined && (
          <>
            <p class="flush above-3">In the public log</p>
            <LogEntries log={log} />
          </>
        )}
      </details>
      {issued?.left_out !== undefined && (
        <p class="above-3">
          The issued copy does not contain: {describeLeftOut(issued.left_out)}.
        </p>
      )}
      {issued?.compared !== undefined && (
        <p class="above-3">
          Its streams were compared with the original on all pages, its texts and drawings on{" "}
          {issued.compared} of {issued.pages} pages.
        </p>
      )}
      {issued === null && (
        <p class="above-3">
          <a href={`${path}/cover?version=${number}`} download>
            Cover sheet to print with the file
          </a>
        </p>
      )}
    </>
  );
};
