import { useEffect, useState } from "preact/hooks";
import type { LinkedEvent } from "../../lib/chain/mod.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import type { ChainClient } from "./chain_client.ts";
import { lineLength, messageOf, rowLength } from "./message.ts";
import type { Receipt } from "./responses.ts";
import {
  begin,
  endOf,
  nextChange,
  type Plan,
  receiveEvents,
  type Sequence,
  startPoll,
  step,
} from "./sequence.ts";
import { FULL_PACE, type Pace, REDUCED_PACE } from "./typing.ts";

/** A source of time: `browserClock`, or a fake one in tests. */
export interface Clock {
  now(): number;
  /**
   * Calls back once, at a time or as soon as possible after it. Returns a function that cancels it.
   */
  at(time: number, run: () => void): () => void;
  isHidden(): boolean;
  /** Calls back whenever the page is hidden or shown. Returns a function that unsubscribes. */
  onVisibility(run: () => void): () => void;
}

export const browserClock: Clock = {
  now: () => performance.now(),
  at(time, run) {
    // Browsers truncate the delay, so without rounding up, the timer would fire too early.
    const timer = setTimeout(run, Math.ceil(time - performance.now()));
    return () => clearTimeout(timer);
  },
  isHidden: () => document.visibilityState === "hidden",
  onVisibility(run) {
    document.addEventListener("visibilitychange", run);
    return () => document.removeEventListener("visibilitychange", run);
  },
};

export interface SequenceRun {
  state(): Sequence;
  /** Continues with a state that follows from the current one. */
  change(next: (state: Sequence, now: number) => Sequence): void;
  /** Stops the sequence and removes its timer and listener. */
  stop(): void;
}

/**
 * Runs a sequence with at most one timer, and none while the page is hidden. Every state is
 * reported in order, even if it lasts no time.
 *
 * @param start returns the first state
 * @param poll returns the events after a `seq`; may reject
 * @param onChange receives the state each time the view changes
 */
export function runSequence(
  { plan, start = begin, clock, poll, onChange }: {
    plan: Plan;
    start?: (plan: Plan, now: number) => Sequence;
    clock: Clock;
    poll: (after: number) => Promise<LinkedEvent[]>;
    onChange: (state: Sequence, now: number) => void;
  },
): SequenceRun {
  let state = start(plan, clock.now());
  let cancel = () => {};
  let stopped = false;

  const advance = () => {
    cancel();
    if (clock.isHidden()) return;
    const now = clock.now();
    while (!stopped && endOf(state) <= now) onChange(state = step(state), now);
    if (stopped) return;
    if (state.nextPoll !== null && state.nextPoll <= now) pollChain(now);
    onChange(state, now);
    const next = nextChange(state, now);
    if (next < Infinity) cancel = clock.at(next, advance);
  };
  const pollChain = (now: number) => {
    state = startPoll(state, now);
    poll(state.rows.at(-1)?.seq ?? -1).catch(() => []).then((events) => {
      state = receiveEvents(state, events, clock.now());
      advance();
    });
  };
  const unsubscribe = clock.onVisibility(advance);
  onChange(state, clock.now());
  advance();
  return {
    state: () => state,
    change(next) {
      state = next(state, clock.now());
      advance();
    },
    stop() {
      stopped = true;
      cancel();
      unsubscribe();
    },
  };
}

export const preferredPace = (): Pace =>
  matchMedia("(prefers-reduced-motion: reduce)").matches ? REDUCED_PACE : FULL_PACE;

export interface SequenceMoment {
  state: Sequence;
  now: number;
}

export function useSequence(
  receipt: Receipt | null,
  chain: ChainClient | null,
): SequenceMoment | null {
  const [moment, setMoment] = useState<SequenceMoment | null>(null);
  useEffect(() => {
    if (receipt === null || chain === null) return;
    const run = runSequence({
      plan: {
        pace: preferredPace(),
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
