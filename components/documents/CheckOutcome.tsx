/** The result of checking a file or hash against the registered documents, in all its cases. */
import type { ComponentChildren } from "preact";
import type { Unrecorded } from "../../lib/features/documents/checks/check.ts";
import type { CheckReport, MatchReport } from "../../lib/features/documents/checks/report.ts";
import { documentPath } from "../../lib/features/documents/ids.ts";
import {
  domainText,
  endedText,
  issuedBy,
  type Parties,
} from "../../lib/features/documents/issued_by.ts";
import { plural } from "../../lib/base/time.ts";
import { Seal } from "../chain/Seal.tsx";
import { HashRows } from "../Groups.tsx";
import {
  type CheckResult,
  domainIn,
  explain,
  eyebrowOf,
  headingOf,
  leadOf,
  othersHeading,
  outcomeOf,
  printedHeading,
  sealOf,
  stateOf,
  type Subject,
} from "./check_texts.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { DocumentLog } from "./DocumentLog.tsx";
import { LogEntries } from "./LogEntries.tsx";
import type { Printed, Trace } from "./useFileCheck.ts";
import { Time } from "../Time.tsx";

export interface CheckOutcomeProps {
  result: CheckResult;
  of: Subject;
  /** The file's name and size. */
  file?: string;
  /** The hash of a file that could not be looked up. */
  sha256?: string;
  /** How the check was recorded; undefined if the publisher was only asked about a hash. */
  trace?: Trace;
  printed?: Printed;
  /** The publisher's log. */
  log: PageLog | null;
  /** The address of a document's page without its id. */
  documentsUrl: string;
  onRetry?: () => void;
}

/** The outcome of a check: the answer, what was compared, and what to do. */
export function CheckOutcome(props: CheckOutcomeProps) {
  const { result, of, file } = props;
  const outcome = outcomeOf(result);
  return (
    <section class={`verdict check-${outcome}`} aria-label="Result">
      <Seal kind={sealOf(result)} />
      <div class="verdict-text">
        <p class="eyebrow">{eyebrowOf(result)}</p>
        <h2 class="anywhere">{headingOf(result, of)}</h2>
        {file !== undefined && <p class="anywhere muted">{file}</p>}
        {"failure" in result
          ? <Unchecked {...props} failure={result.failure} />
          : result.report.matches.length === 0
          ? <Unknown {...props} sha256={result.report.sha256} />
          : <Matches {...props} report={result.report} />}
      </div>
    </section>
  );
}

function Unchecked({ failure, of, sha256, onRetry }: CheckOutcomeProps & { failure: string }) {
  return (
    <>
      <p>{failure}</p>
      <p>The {of} was not compared, so this is neither a match nor a mismatch.</p>
      {onRetry && (
        <p class="actions">
          <button type="button" class="button primary" onClick={onRetry}>Try again</button>
        </p>
      )}
      {sha256 !== undefined && <HashFacts sha256={sha256} />}
    </>
  );
}

function Unknown(
  { sha256, of, documentsUrl, printed }: CheckOutcomeProps & { sha256: string },
) {
  const differs = printed && printed !== "pending" && printed.differs;
  return (
    <>
      {printed && <PrintedNumber printed={printed} />}
      {differs
        ? (
          <p>
            <strong>This says nothing about forgery.</strong> {OTHER_BYTES}
          </p>
        )
        : <NoMatch of={of} documentsUrl={documentsUrl} />}
      <HashFacts sha256={sha256} />
    </>
  );
}

const OTHER_BYTES =
  "A file that was saved again, printed to PDF, signed or compressed has other bytes.";

/** The answer for a file that is not registered, and for one that may not be confirmed to the reader. */
const NoMatch = ({ of, documentsUrl }: Pick<CheckOutcomeProps, "of" | "documentsUrl">) => (
  <>
    <p>
      No document that may be confirmed to you has exactly these bytes.{" "}
      <strong>This says nothing about forgery.</strong>
    </p>
    <ul>
      <li>{OTHER_BYTES}</li>
      <li>
        Some documents are confirmed only to their holder and to people with access. If you are the
        holder, <a href="/my-record">sign in</a> and check the {of} again.
      </li>
      {of === "hash" && (
        <li>
          Only the hash was compared. If you have the file, choose it below: if it is a PDF that
          prints the number of a document, you learn whether it differs from that document.
        </li>
      )}
    </ul>
    <p>
      Ask for the {of === "file" ? "file" : "document"}{" "}
      as it was issued, or scan the QR code on one of its pages: the address begins with{" "}
      <code>{documentsUrl}</code>
    </p>
  </>
);

/** The document whose number the file prints. */
function PrintedNumber({ printed }: { printed: NonNullable<Printed> }) {
  if (printed === "pending") return <p class="muted">Looking for a number on its pages…</p>;
  const { number, differs } = printed;
  return (
    <div class="check-printed">
      <h3>{printedHeading(printed)}</h3>
      <p>
        {differs
          ? "This number is printed on its pages, but none of the document's files has these " +
            "bytes. Compare your file with the document's page, or ask for the file as it was " +
            "issued."
          : "Compare the issuer, the date and the number of pages with the document's page."}
      </p>
      <p class="actions">
        <a class="button primary" href={documentPath(number)}>Open the document's page</a>
      </p>
    </div>
  );
}

function Matches(
  { report, trace, log }: CheckOutcomeProps & { report: CheckReport },
) {
  const { matches: [match], sha256 } = report;
  const parties = partiesIn(match);
  const isTest = match.state === "test";
  const lead = leadOf(report);
  return (
    <>
      {lead !== null && (
        <>
          <h3 class="anywhere">{lead.first}</h3>
          <p class="bold">{lead.verdict}</p>
        </>
      )}
      {match.title !== undefined && <p class="bold">Title: “{match.title}”</p>}
      {parties !== null && <p class="anywhere">{issuedBy(parties, isTest)}</p>}
      {parties !== null && !isTest && endedText(parties) !== null && <p>{endedText(parties)}</p>}
      {lead !== null && parties !== null && parties.domain === undefined && <p>{NO_DOMAIN}</p>}
      {explain(match).map((text) => <p key={text}>{text}</p>)}
      <Others report={report} />
      {log !== null && match.form !== "text" && match.state !== "test" && (
        <DocumentLog {...{ match, sha256, log }} />
      )}
      <p class="actions">
        <a class="button primary" href={match.url}>
          {match.form === "text" ? "Read this version" : "Open the document's page"}
        </a>
      </p>
      <Details>
        <dt>Issuer</dt>
        <dd>{match.issuer}</dd>
        {parties?.domain !== undefined && (
          <>
            <dt>Domain of the issuer</dt>
            <dd class="anywhere">{domainText(parties.domain)}</dd>
          </>
        )}
        {match.registrar !== undefined && match.registrar !== match.issuer && !isTest && (
          <>
            <dt>Registrar</dt>
            <dd>{match.registrar}</dd>
          </>
        )}
        <dt>Title</dt>
        <dd>
          {match.title ??
            <span class="muted">Not shown, because the title is not public</span>}
        </dd>
        <dt>State</dt>
        <dd>{stateOf(match)}</dd>
        <dt>Version</dt>
        <dd>
          {match.version}, {match.form === "text" ? "published" : isTest ? "made" : "registered"}
          {" "}
          <Time at={match.registered_at} />
        </dd>
        {match.expires_at !== undefined && match.state !== "expired" && (
          <>
            <dt>Expires</dt>
            <dd>
              <Time at={match.expires_at} day />
            </dd>
          </>
        )}
        <dt>File</dt>
        <dd>
          {fileText(match)}
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <HashRows hash={sha256} />
        </dd>
        {match.log !== undefined && (
          <>
            <dt>
              <a href="/log">Public log</a>
            </dt>
            <dd>
              <LogEntries log={match.log} />
            </dd>
          </>
        )}
      </Details>
      {trace !== undefined && <p class="note">{traceText(trace)}</p>}
    </>
  );
}

const NO_DOMAIN = "It has no verified domain.";

/** The registrations of other organisations. */
function Others({ report }: { report: CheckReport }) {
  const { matches: [first, ...others], more_issuers: more } = report;
  if (others.length + more === 0) return null;
  return (
    <section class="check-others">
      <h3>{othersHeading(report)}</h3>
      <ul>
        {others.map((other) => (
          <li key={other.url} class="anywhere">
            <strong>{other.issuer}</strong> ({domainIn(other)}){" "}
            {first.state === "test" ? "made one" : "registered it"} on{" "}
            <Time at={other.first_registered_at} day />:{" "}
            <a href={other.url}>{stateOf(other, true)}</a>
          </li>
        ))}
        {more > 0 && <li>and {plural(more, "more organisation")}</li>}
      </ul>
      {first.state !== "test" && (
        <>
          <p>
            Anybody who has a file can register it. Only the organisation that issued a document can
            withdraw it: each one speaks only for itself.
          </p>
          <p>
            <strong>Which organisation does your document name?</strong>{" "}
            Rely only on what is said here about that one. Compare the domain, because names can
            look alike.
          </p>
        </>
      )}
    </section>
  );
}

/** Returns the parties that a report names; null for our own pages. */
function partiesIn(match: MatchReport): Parties | null {
  const { issuer, registrar, issuer_domain: name, issuer_ended_at: endedAt } = match;
  if (registrar === undefined) return null;
  const verifiedOn = match.issuer_domain_verified_at ?? null;
  const domain = name === undefined ? undefined : { name, verifiedOn };
  return { issuer, domain, endedAt, registrar };
}

function fileText({ form, pages, state }: MatchReport): string {
  if (form === "text") return "The Markdown of one of our pages";
  const count = pages === undefined ? "" : `, ${plural(pages, "page")}`;
  return form === "original"
    ? `The original${state === "test" ? "" : ", as it was registered"}${count}`
    : `The issued copy, with a QR code on every page${count} and a final page about the hash`;
}

const HashFacts = ({ sha256 }: { sha256: string }) => (
  <Details>
    <dt>SHA-256</dt>
    <dd>
      <HashRows hash={sha256} />
    </dd>
  </Details>
);

/** Facts that few readers compare, which are one line until they are opened. */
const Details = ({ children }: { children: ComponentChildren }) => (
  <details class="check-details">
    <summary>Details</summary>
    <dl class="facts verify-facts pad-top-4 ruled">{children}</dl>
  </details>
);

const HOLDER_SEES = "The holder sees the time, your network and the name of your browser.";

const UNRECORDED: Record<Unrecorded, string> = {
  own: "You are signed in as the document's holder, so this check is not recorded.",
  waiting:
    "Nobody has accepted this document yet, so this check is not recorded. Only its recipient can " +
    "accept it. Later checks are recorded, and the recipient sees them.",
  unaccepted: "Nobody accepted this document, so it has no holder, and this check is not recorded.",
  test: "A test has no holder, so this check is not recorded.",
};

function traceText(trace: Trace): string {
  if (trace === "pending") return "Your browser is proving that it has the file…";
  if (trace === null) return "This check could not be recorded. The result is not affected.";
  if (typeof trace === "string") return UNRECORDED[trace];
  if (trace.event !== null) {
    return `Your browser proved that it has the file, so this check is event ${trace.event.seq} of ` +
      `the document's record. ${HOLDER_SEES}`;
  }
  switch (trace.suppressed) {
    case "own":
      return UNRECORDED.own;
    case "recent":
      return "This check is only counted, because someone in your network checked this document " +
        `within the last hour. ${HOLDER_SEES}`;
    case "limit":
      return "This check is only counted, because this document was checked often today. " +
        HOLDER_SEES;
  }
}
