import {
  endedText,
  fileOf,
  formatDocumentId,
  type Grant,
  issuedBy,
  type OpenDocument,
  type Parties,
  type Shown,
} from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { PdfPages } from "./PdfPages.tsx";
import { PrintAction } from "./PrintAction.tsx";
import {
  describeStatus,
  kindLabel,
  pagesOf,
  pagesText,
  STATUS_COLOURS,
  STATUS_WORDS,
} from "./texts.ts";
import { Versions } from "./Versions.tsx";
import { Time } from "../Time.tsx";

export interface DocumentViewProps {
  opened: OpenDocument;
  parties: Parties;
  shown: Shown;
  /** Loads the file as a part of this view. */
  ticket: string;
  grant: Grant | null;
  /** The path of `file` and `printed`, without a slash at the end. */
  path: string;
  /** The page to show first. */
  page: number;
  back: { href: string; text: string } | null;
  state: State;
}

export function DocumentView(
  { opened, parties, shown, ticket, grant, path, page, back, state }: DocumentViewProps,
) {
  const { document, version, permission } = opened;
  const { services } = state;
  const now = services.clock();
  const { status, text } = describeStatus(document, version, parties, now);
  const { form } = fileOf(version);
  const pages = pagesOf(version);
  const query = `version=${version.number}`;
  const fileUrl = `${path}/file?${query}`;
  const shownUrl = `${fileUrl}&show=${ticket}`;
  // Whoever looks at a document before accepting it reads or downloads it, and nothing is recorded.
  const waits = permission === "recipient";
  const printedUrl = waits ? null : `${path}/printed?${query}`;
  return (
    <>
      <header>
        {back !== null && (
          <p class="back-link">
            <a href={back.href}>
              <span aria-hidden="true">←</span> {back.text}
            </a>
          </p>
        )}
        <p class="eyebrow">Document {formatDocumentId(document.id)}</p>
        <h1 class="anywhere">{document.title}</h1>
        <p class="wrap gap-1-4 middle">
          <span class={`pill ${STATUS_COLOURS[status].pill}`}>{STATUS_WORDS[status]}</span>
          <span>{kindLabel(document.kind)}</span>
          <span>{issuedBy(parties, document.test)}</span>
          <span>Version {version.number} of {document.versions.length}</span>
          <span>
            <Time at={version.at} />
          </span>
          {pages !== null && <span>{pagesText(version)}</span>}
        </p>
        {!document.test && endedText(parties) !== null && (
          <p class="anywhere">{endedText(parties)}</p>
        )}
        {status !== "current" && (
          <p class="document-note pad-3-4 rounded">
            {text}
            {version.withdrawn_reason !== undefined &&
              ` The reason given: ${version.withdrawn_reason}`}
          </p>
        )}
        <p class="actions">
          <a class="button" href={fileUrl} download>
            {form === "issued" ? "Download the issued copy" : "Download"}
          </a>
          {form === "issued" && !waits && (
            <a class="button quiet" href={`${fileUrl}&form=original`} download>
              Download the original
            </a>
          )}
          {permission === "holder" && status === "current" && (
            <a class="button quiet" href={`/my-record/share?document=${document.id}`}>Share</a>
          )}
          {printedUrl !== null && shown.as !== "pdf" && shown.as !== "file" && (
            <PrintAction printedUrl={printedUrl} />
          )}
          {version.issued === null && !waits && (
            <a class="button quiet" href={`${path}/cover?${query}`} download>
              Cover sheet to print with the file
            </a>
          )}
        </p>
        <p class="muted document-log text-small">{logText(permission, grant)}</p>
      </header>
      <Content {...{ shown, title: document.title, shownUrl, printedUrl, page }} />
      {!waits && (
        <div class="screen-only">
          <Versions document={document} shown={version} now={now} />
        </div>
      )}
    </>
  );
}

function logText(permission: OpenDocument["permission"], grant: Grant | null): string {
  if (permission === "recipient") {
    return "It waits for you. Nobody else can read it here, and nobody learns that you look at it.";
  }
  const prints = "A print is recorded only if you use this page's Print button.";
  if (permission === "holder") {
    return "Only you, administrators and people who were granted access, or who open one of your " +
      "links, can read this document. " +
      "Your access log shows when they view, download or print it. " +
      prints.replace("you use", "they use");
  }
  const recorded = "The holder of the record sees when you view, download or print the document. " +
    prints;
  return grant === null
    ? recorded
    : `You can read this document until ${formatDateTime(grant.expires_at)}. ${recorded}`;
}

function Content(
  { shown, title, shownUrl, printedUrl, page }: {
    shown: Shown;
    title: string;
    shownUrl: string;
    printedUrl: string | null;
    page: number;
  },
) {
  switch (shown.as) {
    case "pdf":
      return (
        <>
          <noscript>
            <p class="note">
              Your browser needs JavaScript to show the pages here. Download the file to read it.
            </p>
          </noscript>
          <PdfPages fileUrl={shownUrl} pdfJs={shown.pdfJs} {...{ printedUrl, page }} />
        </>
      );
    case "image":
      return (
        <figure class="document-image">
          <img class="framed" src={shownUrl} alt={title} />
        </figure>
      );
    case "text":
      return (
        <>
          <pre
            class="document-text pad-5 framed round raised anywhere"
            tabindex={0}
            role="region"
            aria-label="The text of the document"
          >
            {shown.text}
          </pre>
          {shown.cut && (
            <p class="note">Only the beginning is shown. Download the file to read the rest.</p>
          )}
        </>
      );
    case "file":
      return (
        <div class="state empty">
          <strong>This kind of file cannot be shown here</strong>
          <p>Download it to open it on your device.</p>
        </div>
      );
  }
}
