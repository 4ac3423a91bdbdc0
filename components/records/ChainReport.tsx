/** The texts of a key check: the verdict on the record's chain and what it rests on. */
import type { CurrentKeyReport, Visit } from "../../lib/features/records/keys/key_service.ts";
import { plural } from "../../lib/base/time.ts";
import type { Examination } from "../chain/examine.ts";
import { Seal } from "../chain/Seal.tsx";
import type { Verification } from "../chain/useVerification.ts";
import { LogResult, logText } from "../chain/LogResult.tsx";
import { FAULT_MEANINGS } from "../chain/fault_meanings.ts";
import { kindOf as verdictKind } from "../chain/Verdict.tsx";
import { CodeBlock } from "../CodeBlock.tsx";
import { HashRows } from "../Groups.tsx";
import { Time } from "../Time.tsx";

export interface ReportLinks {
  levels: string;
  /** The standard's section on verification, or null if it is not served here. */
  standard: string | null;
  code: string;
}

export interface ChainReportProps {
  report: CurrentKeyReport;
  publisher: { name: string; host: string };
  links: ReportLinks;
  verification: Verification;
  /** Null before the publisher has responded to the visit. */
  visit: Visit | null;
  onVerify: () => void;
  /** Accepts another key of the log than the one that this browser remembers. */
  onAcceptKey: () => void;
}

/** The report on a current key: the result, what was checked, its limits, and how to repeat it. */
export function ChainReport(props: ChainReportProps) {
  const { verification } = props;
  return (
    <div class="key-report">
      <Result {...props} />
      {verification.phase === "done" && (
        <Checked {...props} examination={verification.examination} />
      )}
      {verification.phase !== "reading" && (
        <>
          <Limits name={props.publisher.name} />
          <Repeat {...props} />
          <VisitNote visit={props.visit} />
        </>
      )}
    </div>
  );
}

/** Returns the result of a verification in one sentence, also for screen readers. */
export function announcementOf(verification: Verification): string {
  switch (verification.phase) {
    case "idle":
      return "";
    case "reading":
      return "Verifying…";
    case "failed":
      return "The chain could not be checked.";
    case "done":
      return `${sentenceOf(verification.examination)} ${logText(verification.examination.log)}`
        .trim();
  }
}

function sentenceOf({ result }: Examination): string {
  if (result.ok) {
    const events = plural(result.size, "event");
    return result.size === result.signedSize
      ? `The record's chain is intact: the publisher signed all ${events}.`
      : `The record's chain is intact: the publisher signed ${result.signedSize} of ${events}.`;
  }
  if (result.code === "unknown_key") return "The record's chain could not be confirmed.";
  return result.seq === undefined
    ? "The record's chain does not verify."
    : `The record's chain does not verify: event ${result.seq}.`;
}

function Result(
  { report, publisher, links, verification, onVerify, onAcceptKey }: ChainReportProps,
) {
  const { log, logUrl } = verification.phase === "done"
    ? verification.examination
    : { log: null, logUrl: "" };
  const kind = kindOf(verification);
  return (
    <section class={`verdict ${kind}`} aria-label="Result">
      <Seal kind={kind === "fair" ? "open" : kind} />
      <div class="verdict-text">
        <p class="eyebrow">Result</p>
        <ResultText verification={verification} onVerify={onVerify} />
        {log !== null && <LogResult finding={log} logUrl={logUrl} onAcceptKey={onAcceptKey} />}
        <p class="key-level pad-top-4 above-4 ruled">
          {publisher.name} states that this record is at{" "}
          <strong>level {report.level} of 4</strong>. This is the publisher's statement, which your
          browser cannot check. <a href={links.levels}>What the levels mean</a>
        </p>
      </div>
    </section>
  );
}

function kindOf(verification: Verification): "open" | "good" | "bad" | "fair" {
  if (verification.phase !== "done") return "open";
  const { examination } = verification;
  const { result } = examination;
  return !result.ok && result.code === "unknown_key" ? "fair" : verdictKind(examination);
}

function ResultText(
  { verification, onVerify }: Pick<ChainReportProps, "verification" | "onVerify">,
) {
  switch (verification.phase) {
    case "idle":
      return (
        <>
          <h2>The record's chain is not verified yet.</h2>
          <noscript>
            <p>
              JavaScript is off, so nothing was verified in your browser. This page shows only what
              the publisher states. The command below verifies the chain.
            </p>
          </noscript>
        </>
      );
    case "reading": {
      const { read, total } = verification;
      return (
        <>
          <h2>Verifying the record's chain…</h2>
          <progress
            aria-label="Events read"
            max={total || undefined}
            value={total ? read : undefined}
          />
        </>
      );
    }
    case "failed":
      return (
        <>
          <h2>The record's chain could not be checked.</h2>
          <p>{verification.message}</p>
          <p>
            The publisher knows this key, but nothing was verified. This says nothing about the
            chain.
          </p>
          <p>
            <button type="button" class="button" onClick={onVerify}>Try again</button>
          </p>
        </>
      );
    case "done": {
      const { result } = verification.examination;
      return (
        <>
          <h2>{sentenceOf(verification.examination)}</h2>
          {!result.ok && (
            <p>
              <code class="fault-code">{result.code}</code> {FAULT_MEANINGS[result.code]}
            </p>
          )}
        </>
      );
    }
  }
}

function Checked(
  { examination: { chain, result }, report: { card_hash: cardHash }, publisher }:
    & Pick<ChainReportProps, "report" | "publisher">
    & { examination: Examination },
) {
  if (chain === null || !result.ok) return null;
  const events = chain.events as { at: string }[];
  return (
    <section>
      <h2>What was checked</h2>
      <p>
        Your browser read every event of the chain and recomputed every hash, from the record's hash
        to the last event. Then it checked the publisher's signature with the keys that{" "}
        {publisher.host} publishes.
      </p>
      {cardHash === undefined
        ? (
          <p>
            <strong>Compare the record's hash with the one on the card.</strong>{" "}
            If they differ, the card belongs to another record.
          </p>
        )
        : (
          <p>
            <strong>The card shows the hash of an earlier record.</strong> {publisher.name}{" "}
            states that the record was corrected after the card was printed. Compare the card with
            the second hash below.
          </p>
        )}
      <dl class="facts verify-facts pad-top-4 ruled">
        <dt>Record</dt>
        <dd>
          <HashRows hash={chain.hash} />
        </dd>
        {cardHash !== undefined && (
          <>
            <dt>On the card</dt>
            <dd>
              <HashRows hash={cardHash} />
            </dd>
          </>
        )}
        <dt>Publisher</dt>
        <dd>{publisher.name}, {publisher.host}</dd>
        <dt>Events</dt>
        <dd>{result.size}</dd>
        <dt>First event</dt>
        <dd>
          <Time at={events[0].at} />
        </dd>
        <dt>Last event</dt>
        <dd>
          <Time at={events[events.length - 1].at} />
        </dd>
        <dt>Signed</dt>
        <dd>
          <Time at={result.head.at} />
        </dd>
        <dt>Signing key</dt>
        <dd class="mono">{result.head.kid}</dd>
      </dl>
    </section>
  );
}

const Limits = ({ name }: { name: string }) => (
  <section class="key-limits">
    <h2>What this does not prove</h2>
    <ul>
      <li>Who showed you the card. Anyone can copy a printed code.</li>
      <li>Whose record it is, and what it says. Neither is published.</li>
      <li>That the level is right. It is a statement by {name}.</li>
      <li>That a printed document is unchanged. Only its file can be checked.</li>
    </ul>
  </section>
);

function Repeat({ report, links }: Pick<ChainReportProps, "report" | "links">) {
  return (
    <section>
      <h2>How to repeat this independently</h2>
      <p>
        <a href={report.verify_url}>Verify the chain</a>{" "}
        to see every event and save the chain as a file. Or run the command from{" "}
        <a href={links.code}>the source code</a>, which does not need this page
        {links.standard === null ? "." : (
          <>
            . <a href={links.standard}>The standard</a>{" "}
            describes every step, so you can also write your own program.
          </>
        )}
      </p>
      <CodeBlock label="In a terminal" code={`deno task verify "${report.verify_url}"`} />
    </section>
  );
}

const HOLDER_SEES = "The holder sees the time, your network and the name of your browser.";
const VISITS = {
  pending:
    `Once your browser has verified the chain, this check becomes an event in it. ${HOLDER_SEES}`,
  own: "You are signed in as the record's holder, so this check is not added to the chain.",
  recent:
    "This check is only counted, because someone in your network checked this record within " +
    `the last hour. ${HOLDER_SEES}`,
  limit: `This check is only counted, because this record was checked often today. ${HOLDER_SEES}`,
};

/** States what is recorded about the reader's visit. */
const VisitNote = ({ visit }: { visit: Visit | null }) => (
  <p class="note measure-wide" role="status">
    {visit === null
      ? VISITS.pending
      : visit.event === null
      ? VISITS[visit.suppressed]
      : `This check is event ${visit.event.seq} of the chain. ${HOLDER_SEES}`}{" "}
    <a href="/privacy">What is stored</a>
  </p>
);
