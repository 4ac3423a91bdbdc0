/** The documents on the console's page about a record. */
import {
  type DocumentRow,
  type DocumentState,
  formatDocumentId,
  isExpired,
  latestVersion,
} from "../../lib/features/documents/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { plural } from "../../lib/base/time.ts";
import { StateNote } from "../StateNote.tsx";
import { kindLabel } from "./texts.ts";
import { Time } from "../Time.tsx";
import { DocumentFields, FileField, type IssuerChoices, IssuerField } from "./DocumentFields.tsx";

export const STATE_TEXTS: Record<DocumentState, string> = {
  current: "current",
  replaced: "replaced",
  withdrawn: "withdrawn",
};

export interface RecordDocumentsProps {
  /** The hash of the record. */
  record: string;
  documents: readonly DocumentRow[];
  now: number;
  /** True if documents can be added: not to a record that was corrected. */
  open: boolean;
  refused?: RefusedForm;
  choices: IssuerChoices;
}

/** The documents of a record, for full administrators, with the form that adds one. */
export function RecordDocuments(
  { record, documents, now, open, refused, choices }: RecordDocumentsProps,
) {
  const path = `/console/records/${record}/documents`;
  return (
    <section class="card" id="documents" aria-labelledby="documents-title">
      <h2 id="documents-title">Documents</h2>
      {documents.length === 0
        ? <p>This record has no documents.</p>
        : (
          <ul class="document-list below-4">
            {documents.map((document) => (
              <li class="stack gap-1 ruled anywhere" key={document.id}>
                <a href={`${path}/${document.id}`}>{document.title}</a>
                <span class="muted">
                  {kindLabel(document.kind)} · {document.issuer.id !== document.organisation &&
                    `issued by ${document.issuer.name} · `}
                  {stateText(document, now)} · {plural(document.versions.length, "version")} ·{" "}
                  <Time at={latestVersion(document).at} />
                </span>
                <code class="muted text-small">{formatDocumentId(document.id)}</code>
              </li>
            ))}
          </ul>
        )}
      {open && (
        <details class="choice" open={refused !== undefined}>
          <summary class="button">Add a document</summary>
          {refused?.problem !== undefined && (
            <StateNote kind="error" title="The document was not added">{refused.problem}</StateNote>
          )}
          <form method="post" action={path} enctype="multipart/form-data">
            <DocumentFields refused={refused} />
            <IssuerField {...choices} refused={refused} />
            <FileField refused={refused} />
            <button type="submit" class="button primary">Add the document</button>
          </form>
        </details>
      )}
    </section>
  );
}

/** Returns the state of a document's newest version, and whether the document has expired. */
export function stateText(document: DocumentRow, now: number): string {
  const state = STATE_TEXTS[latestVersion(document).state];
  return isExpired(document, now) ? `${state}, expired` : state;
}
