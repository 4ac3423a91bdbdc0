import { useEffect, useRef } from "preact/hooks";
import { ChainEvents } from "../components/verify/ChainEvents.tsx";
import { EventTable } from "../components/verify/EventTable.tsx";
import { examineChain, examineFile, type Known } from "../components/verify/examine.ts";
import { FileCheck } from "../components/verify/FileCheck.tsx";
import { Outcome } from "../components/verify/Outcome.tsx";
import { useVerification } from "../components/verify/useVerification.ts";
import type { LinkedEvent } from "../lib/chain/mod.ts";

export interface ChainVerifierProps {
  known: Known;
  /** Where the chain is read; null where the address names no record that has one. */
  chainUrl: string | null;
  /** What the server shows of it until all is read, and without scripts: ascending by `seq`. */
  first: LinkedEvent[];
  size: number;
}

/**
 * Verifies a record's chain in the visitor's browser: reads it back to event 0, computes every hash
 * and checks the head's signature. It also checks a chain that was saved as a file.
 */
export default function ChainVerifier({ known, chainUrl, first, size }: ChainVerifierProps) {
  const [state, start] = useVerification();
  const top = useRef<HTMLDivElement>(null);
  const { hash } = known;
  const verify = hash === null || chainUrl === null ? undefined : () => {
    start((onProgress, signal) => examineChain({ ...known, hash, chainUrl }, onProgress, signal));
  };
  useEffect(() => verify?.(), []);
  const checkFile = async (file: File) => {
    await start((_, signal) => examineFile(file, known, signal));
    top.current!.scrollIntoView({ block: "nearest" });
  };
  return (
    <div class="chain-verifier" ref={top}>
      <Outcome state={state} onAgain={verify} />
      {state.phase === "done"
        ? <ChainEvents examination={state.examination} />
        : first.length > 0 && (
          <EventTable
            caption={`${first.length} of ${size}, newest first, as the publisher shows them: not verified`}
            rows={first.map((event) => ({ place: event.seq, event, mark: "unknown" as const }))
              .reverse()}
          />
        )}
      <FileCheck onFile={checkFile} />
    </div>
  );
}
