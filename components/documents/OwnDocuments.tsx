/** The section with the documents on the record page of their holder. */
import {
  currentVersion,
  documentPath,
  type DocumentRow,
  formatDocumentId,
  issuedBy,
  latestVersion,
  type PartiesOf,
  type Share,
  statusOf,
} from "../../lib/features/documents/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { Section } from "../Section.tsx";
import { kindLabel, STATUS_COLOURS, STATUS_WORDS } from "./texts.ts";
import { Time } from "../Time.tsx";

/** Leads to the links with which a document is shared. */
const ShareLink = (
  { document: { id, title }, open, isReadable }: {
    document: DocumentRow;
    open: number;
    isReadable: boolean;
  },
) => (
  isReadable && (
    <span>
      <a href={`/my-record/share?document=${id}`} aria-label={`Share ${title}`}>Share</a>
      {open > 0 && ` (${plural(open, "open link")})`}
    </span>
  )
);

/** The documents of a record, on the record page of its holder. */
export function OwnDocumentsSection(
  { documents, partiesOf, shares, now }: {
    documents: readonly DocumentRow[];
    partiesOf: PartiesOf;
    /** The links to them. */
    shares: readonly Share[];
    now: number;
  },
) {
  return (
    <Section
      id="documents"
      title="Documents"
      lead="Issued to you. Only you, administrators and people with access or a link can read them."
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
                    <a href={documentPath(document.id)}>{document.title}</a>{" "}
                    <span class={`pill ${STATUS_COLOURS[status].pill}`}>
                      {STATUS_WORDS[status]}
                    </span>
                  </p>
                  <p class="flush text-medium">{issuedBy(partiesOf(document))}</p>
                  <p class="muted flex wraps gap-1-3 baseline flush text-medium">
                    <span>
                      {kindLabel(document.kind)}, version {version.number} of{" "}
                      <Time at={version.at} day />
                    </span>{" "}
                    <code>{formatDocumentId(document.id)}</code>{" "}
                    <ShareLink
                      document={document}
                      open={shares.filter((share) =>
                        share.document === document.id && share.state === "open"
                      ).length}
                      isReadable={status === "current"}
                    />
                  </p>
                </li>
              );
            })}
          </ul>
        )}
    </Section>
  );
}
