import type { LinkedEvent } from "../../lib/chain/mod.ts";
import {
  answer,
  ask,
  begin,
  endOf,
  nextChange,
  type Plan,
  type Sequence,
  step,
} from "./sequence.ts";

/** The time, and one call at a time of it. A browser's is `browserClock`; a test has its own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Calls once at a time, or as soon as possible after it; returns how to call it off. */
  at(time: number, run: () => void): () => void;
  isHidden(): boolean;
  /** Calls whenever the page is hidden or shown; returns how to stop that. */
  onVisibility(run: () => void): () => void;
}

export interface SequenceRun {
  state(): Sequence;
  /** Leaves no timer and no listener behind. */
  stop(): void;
}

/**
 * Lets a sequence run: one timer at most, none while the page is hidden. Every state is told in
 * order, also those that take no time.
 *
 * @param poll asks the chain for what is after a `seq`; rejects when that failed for now
 * @param onChange told of each state, and of each time at which its drawing changes
 */
export function runSequence(
  { plan, clock, poll, onChange }: {
    plan: Plan;
    clock: Clock;
    poll: (after: number) => Promise<LinkedEvent[]>;
    onChange: (state: Sequence, now: number) => void;
  },
): SequenceRun {
  let state = begin(plan, clock.now());
  let cancel = () => {};
  let stopped = false;

  const advance = () => {
    cancel();
    if (clock.isHidden()) return;
    const now = clock.now();
    while (!stopped && endOf(state) <= now) onChange(state = step(state), now);
    if (stopped) return;
    if (state.nextPoll !== null && state.nextPoll <= now) question(now);
    onChange(state, now);
    const next = nextChange(state, now);
    if (next < Infinity) cancel = clock.at(next, advance);
  };
  const question = (now: number) => {
    state = ask(state, now);
    poll(state.rows.at(-1)?.seq ?? -1).catch(() => []).then((events) => {
      state = answer(state, events, clock.now());
      advance();
    });
  };
  const forget = clock.onVisibility(advance);
  onChange(state, clock.now());
  advance();
  return {
    state: () => state,
    stop() {
      stopped = true;
      cancel();
      forget();
    },
  };
}
