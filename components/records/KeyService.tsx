/** The interactive part of the page that checks a key. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CurrentKeyReport, Visit } from "../../lib/features/records/keys/key_service.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { useVerification } from "../chain/useVerification.ts";
import { Seal } from "../chain/Seal.tsx";
import { KeyForm } from "../KeyForm.tsx";
import { announcementOf, ChainReport, type ReportLinks } from "./ChainReport.tsx";
import { EndedKey } from "./EndedKey.tsx";
import { type Answer, reportVerified, useKeyLookUp } from "./useKeyLookUp.ts";

export interface KeyServiceProps {
  /** The server's response to a posted form, or null. */
  answer: Answer | null;
  publisher: { name: string; host: string };
  log: PageLog | null;
  links: ReportLinks;
}

/**
 * Checks a key: asks the publisher which record it belongs to, and verifies the record's chain in the
 * reader's browser. Without JavaScript it is a form, and the server's answer to it.
 */
export function KeyService({ answer: initial, publisher, log, links }: KeyServiceProps) {
  const [lookUp, open] = useKeyLookUp(initial);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const answer = lookUp.phase === "answered" ? lookUp.answer : null;
  return (
    <div class={ready || initial !== null ? undefined : "key-waiting"}>
      {lookUp.phase === "none" && <Introduction />}
      {lookUp.phase === "asking" && (
        <section class="verdict open key-asking" aria-label="Result" role="status">
          <Seal kind="open" />
          <div class="verdict-text">
            <p class="eyebrow">Result</p>
            <h2>Looking up the key…</h2>
          </div>
        </section>
      )}
      {lookUp.phase === "failed" && (
        <div class="state error" role="alert">
          <strong>The key could not be checked</strong>
          <p>{lookUp.message}</p>
          <p>This says nothing about the key or its record.</p>
          <button type="button" class="button" onClick={() => open(location.hash.slice(1))}>
            Try again
          </button>
        </div>
      )}
      {answer !== null && (
        answer.report.state === "current"
          ? (
            <CurrentKey
              key={answer.report.hash + answer.nonce}
              report={answer.report}
              {...{ answer, publisher, log, links }}
            />
          )
          : <EndedKey report={answer.report} />
      )}
      <KeyForm
        name="key"
        label={lookUp.phase === "none" ? "Key" : "Check another key"}
        action="/k"
        submit="Check"
        again={lookUp.phase !== "none"}
        onKey={open}
      />
      {lookUp.phase === "none" && <Shown name={publisher.name} />}
    </div>
  );
}

const OWN: Visit = { event: null, suppressed: "own" };

/** The report on a key, with the verification of its chain. */
function CurrentKey(
  { report, answer: { nonce, own }, publisher, log, links }:
    & { report: CurrentKeyReport; answer: Answer }
    & Omit<KeyServiceProps, "answer">,
) {
  const [verification, start, acceptKey] = useVerification();
  const [visit, setVisit] = useState<Visit | null>(null);
  const { hash, chain_url: chainUrl } = report;
  const unused = useRef(nonce); // only the first verified chain is reported
  const verify = () =>
    start(async ({ examineChain }, ...options) => {
      const known = { hash, publisher: publisher.host, chainUrl, log };
      const examination = await examineChain(known, ...options);
      if (examination.result.ok && unused.current !== null) {
        reportVerified(unused.current).then(setVisit).catch(reportError);
        unused.current = null;
      }
      return examination;
    });
  // Before the first paint, so that the page does not say that nothing was verified.
  useLayoutEffect(() => void verify().catch(reportError), []);
  return (
    <>
      <p role="status" class="visually-hidden">{announcementOf(verification)}</p>
      <ChainReport
        {...{ report, publisher, links, verification }}
        visit={own ? OWN : visit}
        onVerify={verify}
        onAcceptKey={() => acceptKey().catch(reportError)}
      />
    </>
  );
}

const Introduction = () => (
  <>
    <p class="lead">
      Scan the code on a holder's card, or type the key that is printed next to it. Your browser
      then verifies the record's chain of events.
    </p>
    <noscript>
      <p class="note">
        JavaScript is off, so this page cannot read the key in its address. Type the key: it is
        printed next to the code.
      </p>
    </noscript>
  </>
);

/** The facts that a check of a key shows, for readers who have not done one yet. */
const Shown = ({ name }: { name: string }) => (
  <section class="key-shown pad-top-5 above-6 ruled" aria-labelledby="key-shown">
    <h2 id="key-shown">What the check shows</h2>
    <dl class="stack gap-5-6 flush">
      <div>
        <dt class="bold">The chain</dt>
        <dd class="muted">
          Whether the record's history is intact. Your browser recomputes every hash and checks the
          signature.
        </dd>
      </div>
      <div>
        <dt class="bold">The level</dt>
        <dd class="muted">
          How far the holder's identity has been established, from 1 to 4, as {name} states it.
        </dd>
      </div>
      <div>
        <dt class="bold">Nothing personal</dt>
        <dd class="muted">
          No name, address or number of the holder. The holder sees when the key was checked, and
          from which network and browser.
        </dd>
      </div>
    </dl>
  </section>
);
