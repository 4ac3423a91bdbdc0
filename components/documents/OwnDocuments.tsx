import {
  currentVersion,
  type DocumentRow,
  formatDocumentId,
  issuedBy,
  latestVersion,
  partiesOf,
  statusOf,
} from "../../lib/features/documents/mod.ts";
import { Section } from "../Section.tsx";
import { kindLabel, STATUS_COLOURS, STATUS_WORDS } from "./texts.ts";
import { Time } from "../Time.tsx";

/** The documents of a record, on the record page of its holder. */
export function OwnDocumentsSection(
  { documents, now, organisations }: {
    documents: readonly DocumentRow[];
    now: number;
    organisations: Parameters<typeof partiesOf>[1];
  },
) {
  return (
    <Section
      id="documents"
      title="Documents"
      lead="Issued to you. Only you, administrators and people with access can read them."
    >
      {documents.length === 0
        ? <p class="muted">None yet. A document that is issued to you appears here.</p>
        : (
          <ul class="own-documents">
            {documents.map((document) => {
              const version = currentVersion(document) ?? latestVersion(document);
              const status = statusOf(document, version, now);
              return (
                <li key={document.id}>
                  <p class="flex wraps gap-1-3 baseline flush bold">
                    <a href={`/d/${document.id}`}>{document.title}</a>{" "}
                    <span class={`pill ${STATUS_COLOURS[status].pill}`}>
                      {STATUS_WORDS[status]}
                    </span>
                  </p>
                  <p class="flush text-medium">{issuedBy(partiesOf(document, organisations))}</p>
                  <p class="muted flex wraps gap-1-3 baseline flush text-medium">
                    <span>
                      {kindLabel(document.kind)}, version {version.number} of{" "}
                      <Time at={version.at} day />
                    </span>{" "}
                    <code>{formatDocumentId(document.id)}</code>
                  </p>
                </li>
              );
            })}
          </ul>
        )}
    </Section>
  );
}
