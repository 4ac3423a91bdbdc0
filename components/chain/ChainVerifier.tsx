/** The island of the verify page, which verifies a record's chain of events in the browser. */
import { useEffect, useRef, useState } from "preact/hooks";
import { FileInput } from "../FileInput.tsx";
import { EventTable, ExaminedEvents } from "./EventTable.tsx";
import type { Known } from "./examine.ts";
import { LogPolicy } from "./LogPolicy.tsx";
import { Outcome } from "./Outcome.tsx";
import { useVerification } from "./useVerification.ts";
import type { LinkedEvent } from "../../packages/proof/mod.ts";

export interface ChainVerifierProps {
  known: Known;
  /** The chain's URL, or null if the page's URL names no record with a chain. */
  chainUrl: string | null;
  /** Events in ascending order of `seq`, shown until the chain is read and without JavaScript. */
  first: LinkedEvent[];
  size: number;
}

/**
 * Verifies a record's chain in the visitor's browser: reads it back to event 0, recomputes every
 * hash and checks the head's signature. Also verifies a saved chain from a file.
 */
export function ChainVerifier({ known, chainUrl, first, size }: ChainVerifierProps) {
  const [verification, start, acceptKey] = useVerification();
  const top = useRef<HTMLDivElement>(null);
  const { hash } = known;
  const verify = hash === null || chainUrl === null ? undefined : () => {
    start(({ examineChain }, ...options) => examineChain({ ...known, hash, chainUrl }, ...options))
      .catch(reportError);
  };
  useEffect(() => verify?.(), []);
  const checkFile = async (file: File) => {
    await start(({ examineFile }, _, options) => examineFile(file, known, options));
    // The events are shown first: they push the field down, and with it the screen, away from the verdict.
    requestAnimationFrame(() => top.current?.scrollIntoView());
  };
  return (
    <div class="chain-verifier" ref={top}>
      <Outcome
        verification={verification}
        onVerify={verify}
        onAcceptKey={() => acceptKey().catch(reportError)}
      />
      {verification.phase === "done"
        ? <ExaminedEvents examination={verification.examination} />
        : first.length > 0 && (
          <EventTable
            caption={`${first.length} of ${size}, newest first, as the publisher shows them: not verified`}
            rows={first.map((event) => ({ position: event.seq, event, status: "unknown" as const }))
              .reverse()}
          />
        )}
      <FileCheck onFile={checkFile} />
      <LogPolicy log={known.log} onChange={() => verify?.()} />
    </div>
  );
}

/** A file input for a saved chain. It is shown only with JavaScript, because nothing is uploaded. */
function FileCheck({ onFile }: { onFile: (file: File) => void }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return (
    <section class="file-check with-scripts measure-wide pad-top-5 above-6 ruled">
      <h2>Verify a saved chain</h2>
      <div class="field">
        <label for="saved-chain">A chain saved as JSON</label>
        <span class="hint" id="saved-chain-hint">
          Your browser reads the file. It is not uploaded.
        </span>
        <FileInput
          id="saved-chain"
          accept=".json,application/json"
          aria-describedby="saved-chain-hint"
          disabled={!ready}
          onFiles={([file]) => onFile(file)}
        />
      </div>
    </section>
  );
}
