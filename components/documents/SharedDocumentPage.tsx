/** The texts and facts of a shared document, prepared on the server for `SharedDocument.tsx`. */
import {
  type Display,
  type DocumentRow,
  type DocumentVersion,
  domainText,
  endedText,
  fileOf,
  formatDocumentId,
  type Grant,
  type OpenDocument,
  type Parties,
  type Registration,
} from "../../lib/features/documents/mod.ts";
import { formatCount, formatDateTime, formatDay } from "../../lib/base/time.ts";
import { RECORDED } from "./DocumentView.tsx";
import { type Fact, SharedDocument } from "./SharedDocument.tsx";
import { genuineText, kindLabel } from "./texts.ts";

export interface SharedDocumentPageProps {
  opened: OpenDocument;
  parties: Parties;
  shown: Display;
  ticket: string;
  grant: Grant;
  /** Where the public log has the version. */
  registration: Registration;
  page: number;
}

/** The document for a reader whom its holder gave access, who may read only the version in force. */
export function SharedDocumentPage(
  { opened: { document, version }, parties, shown, ticket, grant, registration, page }:
    SharedDocumentPageProps,
) {
  const path = `/d/${document.id}`;
  const query = `version=${version.number}`;
  const ended = endedText(parties);
  return (
    <SharedDocument
      genuine={genuineText(document, version, parties.issuer)}
      registrar={parties.registrar}
      title={document.title}
      kind={kindLabel(document.kind)}
      notes={ended === null ? [] : [ended]}
      facts={factsOf(document, version, parties, registration)}
      shown={shown}
      shownUrl={`${path}/file?${query}&show=${ticket}`}
      fileUrl={`${path}/file?${query}`}
      printedUrl={`${path}/printed?${query}`}
      downloads={version.issued === null
        ? [{ text: "Cover sheet to print with it", href: `${path}/cover?${query}` }]
        : [{ text: "Download the original", href: `${path}/file?${query}&form=original` }]}
      sha256={fileOf(version).file.sha256}
      page={page}
      terms={`You can read it until ${formatDateTime(grant.expires_at)}. ${RECORDED}`}
    />
  );
}

/** Returns the five facts behind the verdict. */
function factsOf(
  document: DocumentRow,
  version: DocumentVersion,
  { issuer, domain, registrar }: Parties,
  registration: Registration,
): Fact[] {
  const { id, date, versions, expires_at } = document;
  return [
    {
      term: "Issued by",
      text: issuer,
      more: issuer === registrar && domain === undefined ? "It registered the document itself" : [
        domain === undefined ? "It has no verified domain" : domainText(domain),
        ...issuer === registrar ? [] : [`registered with ${registrar}`],
      ].join(" · "),
    },
    {
      term: "Registered",
      text: formatDateTime(version.at),
      more: date === undefined ? undefined : `Date on it: ${formatDay(date)}`,
    },
    {
      term: "Number",
      text: formatDocumentId(id),
      more: versions.length === 1
        ? undefined
        : `Version ${version.number} of ${versions.length}, the newest`,
    },
    {
      term: "Valid",
      text: expires_at === null ? "Without end" : `Until ${formatDateTime(expires_at)}`,
      more: "Not withdrawn, not replaced",
    },
    { term: "Public log", ...logFact(registration) },
  ];
}

function logFact({ index, by }: Registration): Omit<Fact, "term"> {
  if (index === null || by === null) {
    return {
      text: "Not published there yet",
      more: "This is normal only within 10 minutes of its registration.",
    };
  }
  return {
    text: `Entry ${formatCount(index)}`,
    href: `/log?find=${index}#find`,
    more: `Logged by ${formatDateTime(by)}`,
  };
}
