import { useEffect, useState } from "preact/hooks";
import { CONFIG } from "../../lib/contact/config.ts";
import type { Receipt } from "./answers.ts";
import { browserClock } from "./browser_clock.ts";
import type { ChainClient } from "./chain_client.ts";
import { runSequence } from "./run_sequence.ts";
import type { Sequence } from "./sequence.ts";
import { FULL_PACE, REDUCED_PACE } from "./typing.ts";
import { lineLength, messageOf, rowLength } from "./words.ts";

/** A sequence as it stands at a moment. */
export interface SequenceMoment {
  state: Sequence;
  now: number;
}

/** Runs the sequence of a registration while there is one. */
export function useSequence(
  receipt: Receipt | null,
  chain: ChainClient | null,
): SequenceMoment | null {
  const [moment, setMoment] = useState<SequenceMoment | null>(null);
  useEffect(() => {
    if (receipt === null || chain === null) return;
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const run = runSequence({
      plan: {
        pace: reduced ? REDUCED_PACE : FULL_PACE,
        lines: messageOf(receipt).map(lineLength),
        ending: CONFIG.COPY.MESSAGE_ENDS.length,
        events: receipt.events,
        lengthOf: rowLength,
      },
      clock: browserClock,
      poll: chain.after,
      onChange: (state, now) => setMoment({ state, now }),
    });
    return () => {
      run.stop();
      setMoment(null);
    };
  }, [receipt, chain]);
  return moment;
}
