/** The verdict on a verified chain in words, from the chain itself and from the public log. */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { ChainVerification, SavedChain } from "../../packages/proof/mod.ts";
import { plural } from "../../lib/base/time.ts";
import type { Examination } from "./examine.ts";
import { FAULT_MEANINGS } from "./fault_meanings.ts";
import { LogResult, toneOf } from "./LogResult.tsx";
import { Time } from "../Time.tsx";
import { Seal } from "./Seal.tsx";

/** Returns the verdict as a heading. A file verified with its own keys is only consistent. */
export function verdictText({ result, keysFrom, log }: Examination): string {
  if (result.ok) {
    const events = plural(result.size, "event");
    const tone = log === null ? "good" : toneOf(log);
    if (tone === "bad") return `The log contradicts itself: ${events} verified`;
    if (tone === "warning" && keysFrom === "publisher") {
      return `Verified, with a warning: ${events}`;
    }
    return keysFrom === "publisher" ? `Verified: ${events}` : `Internally consistent: ${events}`;
  }
  return result.seq === undefined ? "Not verified" : `Not verified: event ${result.seq}`;
}

/** Returns how a verdict is shown: a chain that the log does not have is not shown as good. */
export function kindOf({ result, keysFrom, log }: Examination): "good" | "fair" | "bad" {
  if (!result.ok) return "bad";
  const tone = log === null ? "good" : toneOf(log);
  if (tone === "bad") return "bad";
  return keysFrom === "publisher" && tone !== "warning" ? "good" : "fair";
}

export function Verdict(
  { examination, onAcceptKey, children }: {
    examination: Examination;
    /** Accepts another key of the log than the one that this browser remembers. */
    onAcceptKey: () => void;
    children?: ComponentChildren;
  },
) {
  const { of, chain, result, log, logUrl } = examination;
  const kind = kindOf(examination);
  const verifiedAt = useMemo(() => new Date().toISOString(), [examination]);
  return (
    <section class={`verdict ${kind}`} aria-label="Verdict">
      <Seal kind={kind} />
      <div class="verdict-text">
        <p class="eyebrow">{of === "file" ? "Your file" : "The publisher's chain"}</p>
        <h2>{verdictText(examination)}</h2>
        {result.ok
          ? (
            <>
              <p>{coverage(result.size, result.signedSize, examination.keysFrom)}</p>
              {log !== null && (
                <LogResult
                  finding={log}
                  logUrl={logUrl}
                  onAcceptKey={onAcceptKey}
                />
              )}
              <Facts chain={chain!} result={result} />
            </>
          )
          : (
            <>
              <p>{FAULT_MEANINGS[result.code]}</p>
              <p class="muted text-small">
                Code <code class="fault-code">{result.code}</code>: {sentence(result.message)}
              </p>
              <BadEvent event={chain?.events[result.seq ?? -1]} />
            </>
          )}
        <Notes examination={examination} />
        <p class="on-paper text-small anywhere">
          Verified at {location.href}, on <Time at={verifiedAt} />.
        </p>
        {children}
      </div>
    </section>
  );
}

function coverage(size: number, signedSize: number, keysFrom: Examination["keysFrom"]): string {
  const hashes = "Every hash from the record to the last event was recomputed";
  const signature = keysFrom === "publisher" ? "the publisher's signature" : "a signature";
  return size === signedSize
    ? `${hashes}, and ${signature} covers all events.`
    : `${hashes}. The first ${signedSize} events are covered by ${signature}; later ones are ` +
      "linked, but not signed yet.";
}

function Facts({ chain, result }: { chain: SavedChain; result: ChainVerification & { ok: true } }) {
  const facts: [name: string, value: ComponentChildren][] = [
    ["Record", result.head.origin.slice(result.head.origin.indexOf("/") + 1)],
    ["Publisher", chain.publisher],
    ["Last hash", result.tip],
    ["Signed at", <Time key="at" at={result.head.at} />],
    ["Key", result.head.kid],
  ];
  return (
    <dl class="facts verify-facts pad-top-4 ruled">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd class="mono">{value}</dd>
        </>
      ))}
    </dl>
  );
}

function BadEvent({ event }: { event: unknown }) {
  if (event === undefined) return null;
  return (
    <pre
      class="given pad-3-4 framed rounded"
      tabindex={0}
      role="group"
      aria-label="The event as received"
    >
      <code>{JSON.stringify(event, null, 2).slice(0, 2_000)}</code>
    </pre>
  );
}

/** Notes on what the verdict does not show, because values came from the file that was verified. */
function Notes(
  { examination: { chain, result, hashFrom, keysFrom } }: { examination: Examination },
) {
  if (chain === null || !result.ok) return null;
  return (
    <>
      {hashFrom === "file" && (
        <p class="note">
          The record hash comes from the file itself. The events are consistent with each other, but
          this does not show which record they belong to. Open this page with the hash from your QR
          code or printout, and check the file there.
        </p>
      )}
      {keysFrom === "file" && (
        <p class="note">
          The keys come from the file itself, because this page cannot request those of{" "}
          {chain.publisher}. The file's author could have generated them. The command-line verifier
          can request them.
        </p>
      )}
    </>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1) + ".";
