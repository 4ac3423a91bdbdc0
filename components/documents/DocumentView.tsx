/** The view of a document with its state, pages and downloads, for holders, recipients and administrators. */
import {
  type Display,
  endedText,
  fileOf,
  formatDocumentId,
  issuedBy,
  type OpenDocument,
  type Parties,
} from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { Content } from "./Content.tsx";
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
  shown: Display;
  /** Loads the file as a part of this view. */
  ticket: string;
  /** The path of `file` and `printed`, without a slash at the end. */
  path: string;
  /** The page to show first. */
  page: number;
  back: { href: string; text: string } | null;
  state: State;
}

export function DocumentView(
  { opened, parties, shown, ticket, path, page, back, state }: DocumentViewProps,
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
          <p class="caution pad-3-4 rounded">
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
        <p class="muted document-log text-small">
          {logText(permission)}
          {(permission === "holder" || waits) && !document.test && endedText(parties) === null && (
            <>
              {" "}If something in it is wrong, ask{" "}
              {parties.issuer}, because only the issuer can correct it.
            </>
          )}
        </p>
      </header>
      <Content {...{ shown, title: document.title, shownUrl, fileUrl, printedUrl, page }} />
      {!waits && (
        <div class="screen-only">
          <Versions document={document} shown={version} now={now} />
        </div>
      )}
    </>
  );
}

const PRINTS = "A print is recorded only if you use this page's Print button.";

/** Says to a reader who is not the holder what is recorded of the reading. */
export const RECORDED =
  `The holder of the record sees when you view, download or print the document. ${PRINTS}`;

function logText(permission: OpenDocument["permission"]): string {
  if (permission === "recipient") {
    return "It is waiting for you to accept it. Nobody else can read it here, and nobody is told that you view it.";
  }
  return permission === "holder"
    ? "Only you, administrators and people who were granted access, or who open one of your " +
      "links, can read this document. " +
      "Your access log shows when they view, download or print it. " +
      PRINTS.replace("you use", "they use")
    : RECORDED;
}
