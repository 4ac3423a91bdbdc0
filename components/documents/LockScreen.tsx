/** The page `/d/<id>` for visitors who may not read the document, with its issuer, state and registration. */
import { asset, Head } from "fresh/runtime";
import {
  currentVersion,
  documentPath,
  type DocumentRow,
  type DocumentVersion,
  domainText,
  endedText,
  formatDocumentId,
  isExpired,
  isReasonPublic,
  issuedBy,
  latestVersion,
  type OpenDocument,
  type Parties,
  type Visitor,
} from "../../lib/features/documents/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { HashRows } from "../Groups.tsx";
import { StatusIcon } from "./StatusIcon.tsx";
import { describeStatus, pagesOf, pagesText, STATUS_COLOURS, STATUS_WORDS } from "./texts.ts";
import { Versions } from "./Versions.tsx";
import { Time } from "../Time.tsx";

/**
 * The public page of a document, which people reach for example by scanning the code on a print. It
 * shows the issuer and the state, but not the content.
 */
export function LockScreen(
  { opened: { document, version }, parties, scanned, visitor: { grant }, state }: {
    opened: OpenDocument;
    parties: Parties;
    visitor: Visitor;
    /** The page whose code was scanned; null if the address names none. */
    scanned: number | null;
    state: State;
  },
) {
  const { services, surface } = state;
  const now = services.clock();
  const { issuer, registrar } = parties;
  const { status, text } = describeStatus(document, version, parties, now);
  const isTest = document.test === true;
  const title = isTest
    ? "A test, not a document"
    : document.public
    ? document.title
    : "A registered document";
  const origin = services.surfaces.url("trust") ?? surface.baseUrl;
  const current = currentVersion(document);
  const latest = latestVersion(document);
  const isHidden = document.guessable && !isTest;
  const isReadable = current !== null && !isExpired(document, now) && !document.test;
  return (
    <div class="document-page">
      <Head>
        <title>{title}</title>
        <meta
          name="description"
          content={`Document ${formatDocumentId(document.id)}: who issued it, and its state.`}
        />
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/document.css")} />
      </Head>
      <header>
        <p class="eyebrow">Document {formatDocumentId(document.id)}</p>
        <h1 class="anywhere">{title}</h1>
        <p class="lead anywhere">{issuedBy(parties, isTest)}</p>
        {!isTest && endedText(parties) !== null && <p class="anywhere">{endedText(parties)}</p>}
      </header>
      <ScannedTooFar {...{ version, scanned }} />
      {grant !== null && !isReadable && (
        <p class="caution pad-3-4 rounded" role="note">
          You had access to this document. Your access has ended, because the document{" "}
          {current === null ? "was withdrawn" : "has expired"}.
        </p>
      )}
      <section
        class={`verdict below-5 ${
          isHidden && status === "current" ? "open" : STATUS_COLOURS[status].verdict
        }`}
        aria-labelledby="document-state"
      >
        <StatusIcon status={status} />
        <div class="verdict-text">
          <h2 id="document-state">{STATUS_WORDS[status]}</h2>
          <p>{text}</p>
          {status === "withdrawn" && isReasonPublic(document) &&
            version.withdrawn_reason !== undefined && (
            <p>The reason given: {version.withdrawn_reason}</p>
          )}
          {version !== latest && (
            <p>
              <a href={documentPath(document.id)}>Show the newest version</a>
            </p>
          )}
          <Reading {...{ document, isReadable }} />
          {isHidden && (
            <p class="above-4">
              This page is only about the number. Only the holder and people with access can have a
              file of this document confirmed: everyone else who checks it sees “No published
              match”, even for the genuine file.
            </p>
          )}
          <Facts {...{ document, version, scanned, parties }} />
        </div>
      </section>
      <section class="document-proves" aria-labelledby="proves">
        <h2 id="proves">What this page proves</h2>
        <ul>
          <li>
            The address of this page must begin with{" "}
            <strong class="mono anywhere">{origin}/</strong>. Otherwise it is not ours: close it.
          </li>
          <li>
            {isTest
              ? "No document is registered under this number."
              : `${registrar} registered a document ${
                issuer === registrar ? "" : `of ${issuer} `
              }under this number. Its current state is shown above.`}
          </li>
          {parties.domain?.verifiedOn != null && (
            <li class="anywhere">
              {issuer} has proved to {registrar} that it controls{" "}
              <strong>{parties.domain.name}</strong>. Others may have a similar name.
            </li>
          )}
          <li>
            This does <strong>not</strong>{" "}
            prove that your copy is unchanged: anyone can put this code on another sheet. Compare
            the issuer, the date, the version and the number of pages with your copy.
            {isReadable && document.record !== null &&
              " If you have it only on paper, ask the holder for a link to it or for the file."}
          </li>
          <li>
            Only a file can be compared completely. <a href="/check">Check the file</a>{" "}
            in your browser; it is not uploaded.
          </li>
        </ul>
      </section>
      <Versions document={document} shown={version} now={now} />
    </div>
  );
}

/** The people who can read the document, and the ways to open it. */
const Reading = (
  { document: { id, record, test, erased_at, guessable }, isReadable }: {
    document: DocumentRow;
    isReadable: boolean;
  },
) => (
  <div class="document-access">
    <p>
      {erased_at !== undefined
        ? `Nobody accepted it, so its file was erased here.${
          guessable ? "" : " A copy can still be checked."
        }`
        : test
        ? "This is a test. It has no holder, and nobody is asked for access."
        : record === null
        ? `Its recipient has not accepted it yet, so nobody can give access to it.${
          guessable ? "" : " A copy can be checked."
        }`
        : isReadable
        ? "Only the holder, administrators and people who were granted access, or who open a link of the holder's, can read it."
        : "Only the holder and administrators can still read it."}
    </p>
    <p class="actions flush">
      {isReadable && record !== null && (
        <a class="button primary" href={`${documentPath(id)}/request`}>Request access</a>
      )}
      <a class="button" href="/check">Check a file</a>
      <a class="button" href="/my-record">My record →</a>
    </p>
  </div>
);

function Facts(
  { document, version, scanned, parties: { issuer, domain, registrar } }:
    & Pick<OpenDocument, "document" | "version">
    & {
      scanned: number | null;
      parties: Parties;
    },
) {
  const pages = pagesOf(version);
  const { original, issued } = version;
  return (
    <dl class="facts document-facts pad-top-4 above-4 ruled">
      <dt>Issued by</dt>
      <dd>{issuer}</dd>
      {domain !== undefined && (
        <>
          <dt>Domain of the issuer</dt>
          <dd class="anywhere">{domainText(domain)}</dd>
        </>
      )}
      {registrar !== issuer && !document.test && (
        <>
          <dt>Registered with</dt>
          <dd>{registrar}</dd>
        </>
      )}
      {document.date !== undefined && (
        <>
          <dt>Date on it</dt>
          <dd>
            <Time at={document.date} day />
          </dd>
        </>
      )}
      <dt>{document.date === undefined ? "Date" : document.test ? "Made" : "Registered"}</dt>
      <dd>
        <Time at={version.at} />
      </dd>
      <dt>Version</dt>
      <dd>{version.number} of {document.versions.length}</dd>
      {pages !== null && (
        <>
          <dt>Pages</dt>
          <dd>
            {pagesText(version)}
            {isPage(scanned, version) &&
              `; you scanned the code of ${
                scanned! > pages ? "the final page" : `page ${scanned}`
              }`}
          </dd>
        </>
      )}
      {document.guessable
        ? (
          <>
            <dt>Hash</dt>
            <dd>
              Not published, because it could confirm a guess about the content.
            </dd>
          </>
        )
        : (
          <>
            <dt>SHA-256 of the original</dt>
            <dd>
              <HashRows hash={original.sha256} />
            </dd>
            {issued !== null && (
              <>
                <dt>SHA-256 of the issued copy</dt>
                <dd>
                  <HashRows hash={issued.sha256} />
                </dd>
              </>
            )}
          </>
        )}
    </dl>
  );
}

/** Returns whether a copy of a version has a page with this number. */
function isPage(number: number | null, version: DocumentVersion): boolean {
  const last = (pagesOf(version) ?? 0) + (version.issued === null ? 0 : 1);
  return number !== null && number <= last;
}

function ScannedTooFar({ version, scanned }: { version: DocumentVersion; scanned: number | null }) {
  if (scanned === null || pagesOf(version) === null || isPage(scanned, version)) return null;
  return (
    <p class="caution pad-3-4 rounded" role="note">
      The address names page {scanned}, but this version has{" "}
      {pagesText(version)}. Your copy is from another version, or its code is not genuine.
    </p>
  );
}
