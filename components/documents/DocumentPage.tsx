import { Fragment } from "preact";
import {
  type DocumentRow,
  formatDocumentId,
  latestVersion,
  MAX_REASON,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { formatDateTime, plural } from "../../lib/base/time.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { Field } from "../Field.tsx";
import { HashRows } from "../Groups.tsx";
import { StateNote } from "../StateNote.tsx";
import { DocumentFields, FileField, VersionFields } from "./DocumentFields.tsx";
import { kindLabel } from "./texts.ts";
import { STATE_TEXTS, stateText } from "./RecordDocuments.tsx";

/** The changes that an administrator can make to a document. */
type DocumentAction = "replace" | "withdraw" | "edit";

export interface DocumentPageProps {
  document: DocumentRow;
  now: number;
  /** The address of the document's lock screen; null if it is not served here. */
  publicUrl: string | null;
  refused?: RefusedForm;
  /** The result of the action that led here. */
  result: ShownResult | null;
}

/** One document: its versions and the forms that change it, for full administrators. */
export function DocumentPage({ document, now, publicUrl, refused, result }: DocumentPageProps) {
  const isCurrent = document.versions.some(({ state }) => state === "current");
  const path = `/console/records/${document.record}/documents/${document.id}`;
  return (
    <>
      <p class="back-link">
        <a href={`/console/records/${document.record}#documents`}>
          <span aria-hidden="true">←</span> Record <code>{document.record.slice(0, 8)}…</code>
        </a>
      </p>
      <h1>{document.title}</h1>
      <p class="lead">
        {kindLabel(document.kind)}, {stateText(document, now)}
        {document.issuer && `, issued by ${document.issuer.name}`}
      </p>
      {result !== null && <ActionResult result={result} action={path} />}
      <p class="actions middle">
        <a class="button primary" href={`${path}/view`}>Read the document</a>
        {publicUrl !== null && (
          <span>
            Public page: <a href={publicUrl}>{formatDocumentId(document.id)}</a>
          </span>
        )}
      </p>
      <div class="record-details">
        <section class="card" aria-labelledby="versions">
          <h2 id="versions">Versions</h2>
          <Versions {...{ document, path }} />
        </section>
        <section class="card" aria-labelledby="replace">
          <h2 id="replace">New version</h2>
          <p>The new version replaces the current one. Earlier versions are kept.</p>
          <Problem action="replace" refused={refused} />
          <form method="post" enctype="multipart/form-data">
            <input type="hidden" name="act" value="replace" />
            <VersionFields refused={isOf(refused, "replace") ? refused : undefined} />
            <FileField refused={isOf(refused, "replace") ? refused : undefined} />
            <button type="submit" class="button">Add a version</button>
          </form>
        </section>
        <section class="card" aria-labelledby="edit">
          <h2 id="edit">Description</h2>
          <Problem action="edit" refused={refused} />
          <form method="post">
            <input type="hidden" name="act" value="edit" />
            <DocumentFields
              document={document}
              refused={isOf(refused, "edit") ? refused : undefined}
            />
            <button type="submit" class="button">Save</button>
          </form>
        </section>
        {isCurrent && (
          <section class="card" aria-labelledby="withdraw">
            <h2 id="withdraw">Withdraw</h2>
            <Problem action="withdraw" refused={refused} />
            <Withdraw {...{ document, refused }} />
          </section>
        )}
      </div>
    </>
  );
}

/** Asks first, because a withdrawal stays. */
function Withdraw({ document, refused }: Pick<DocumentPageProps, "document" | "refused">) {
  const { number } = latestVersion(document);
  const own = isOf(refused, "withdraw") ? refused : undefined;
  return (
    <details open={own !== undefined}>
      <summary>Withdraw version {number}</summary>
      <form class="above-4" method="post">
        <p>
          Withdraw version {number}{" "}
          of “{document.title}”? Everyone who opens or checks it will see that it was withdrawn
          {document.public
            ? ", and why"
            : ". The reason is not shown, because the document is not public"}. This can’t be
          undone.
        </p>
        <input type="hidden" name="act" value="withdraw" />
        <Field name="reason" label="Reason" required problem={own?.issues.reason}>
          {(control) => (
            <input
              {...control}
              value={own?.values.reason}
              maxlength={MAX_REASON}
              autocomplete="off"
            />
          )}
        </Field>
        <button type="submit" class="button danger">Withdraw version {number}</button>
      </form>
    </details>
  );
}

/** Only the form that replaces the file can be refused before its action was read. */
const isOf = (
  refused: RefusedForm | undefined,
  action: DocumentAction,
): refused is RefusedForm => refused !== undefined && (refused.values.act ?? "replace") === action;

const Problem = (
  { action, refused }: { action: DocumentAction; refused?: RefusedForm },
) =>
  isOf(refused, action) && refused.problem !== undefined
    ? <StateNote kind="error" title="Nothing was changed">{refused.problem}</StateNote>
    : null;

const Versions = ({ document, path }: { document: DocumentRow; path: string }) => (
  <ol class="managed-versions below-4" reversed>
    {document.versions.toReversed().map((version) => (
      <li key={version.number} value={version.number}>
        <p>
          Version {version.number}, {STATE_TEXTS[version.state]}:{" "}
          <strong>{version.file_name}</strong>
        </p>
        <dl class="facts even">
          {factsOf(version).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </dl>
        {version.issued === null && (
          <p>
            <a href={`${path}/cover?version=${version.number}`} download>
              Cover sheet to print with the file
            </a>
          </p>
        )}
      </li>
    ))}
  </ol>
);

function factsOf(version: DocumentRow["versions"][number]) {
  const { original, issued, at, by, withdrawn_at, withdrawn_reason } = version;
  const hash = (sha256: string) => <HashRows hash={sha256} />;
  return [
    ["Added", `${formatDateTime(at)} by ${by}`],
    [
      "File",
      `${original.media_type.split(";")[0]}, ${plural(original.size, "byte")}`,
    ],
    ["Hash", hash(original.sha256)],
    ...issued === null ? [] : [["Hash of the issued copy", hash(issued.sha256)]],
    ...withdrawn_at === undefined
      ? []
      : [["Withdrawn", `${formatDateTime(withdrawn_at)}: ${withdrawn_reason}`]],
  ] as const;
}
