import { useEffect, useState } from "preact/hooks";
import type { LinkedEvent } from "../../lib/features/chain/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { type ChainClient, ChainRewritten } from "./chain_client.ts";
import { lineLength, messageOf, rowLength } from "./message.ts";
import type { Receipt } from "./responses.ts";
import {
  begin,
  endLive,
  endOf,
  endOfWatch,
  goLive,
  isWatching,
  nextChange,
  type Plan,
  receiveEvents,
  type Sequence,
  startOver,
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

export interface EventSource {
  /** Returns the events after a known one; may reject, with `ChainRewritten` to start over. */
  after: ChainClient["after"];
  /** Receives new events as they are appended. Without it, the chain is polled. */
  stream?: ChainClient["stream"];
  /** Returns the newest events, to start over. */
  newest?: ChainClient["newest"];
}

/**
 * Runs a sequence with at most one timer, and none while the page is hidden. Every state is
 * reported in order, even if it lasts no time. While it watches and the page is visible, it has one
 * stream, and polls if there is none.
 *
 * @param start returns the first state
 * @param onChange receives the state each time the view changes
 */
export function runSequence(
  { plan, start = begin, clock, source, onChange }: {
    plan: Plan;
    start?: (plan: Plan, now: number) => Sequence;
    clock: Clock;
    source: EventSource;
    onChange: (state: Sequence, now: number) => void;
  },
): SequenceRun {
  let state = start(plan, clock.now());
  let cancel = () => {};
  let stopped = false;
  let stream: AbortController | null = null;
  /** When a stream may be opened next. */
  let streamAt = source.stream === undefined ? Infinity : 0;

  const advance = () => {
    cancel();
    if (clock.isHidden()) return closeStream();
    const now = clock.now();
    while (!stopped && endOf(state) <= now) onChange(state = step(state), now);
    if (stopped) return;
    const watches = isWatching(state) && now < endOfWatch(state);
    if (!watches) closeStream();
    else if (stream === null && state.polledAt === null && now >= streamAt) openStream(now);
    if (state.nextPoll !== null && state.nextPoll <= now) pollChain(now);
    onChange(state, now);
    const next = nextChange(state, now);
    if (next < Infinity) cancel = clock.at(next, advance);
  };
  const pollChain = (now: number) => {
    state = startPoll(state, now);
    source.after(state.rows.at(-1)!).catch(restartIfRewritten).then((events) => {
      state = receiveEvents(state, events, clock.now());
      advance();
    }).catch(reportError);
  };
  const openStream = (now: number) => {
    const opened = stream = new AbortController();
    // The stream begins with the events that a poll would return.
    state = { ...state, nextPoll: Math.max(state.nextPoll ?? 0, now + CONFIG.POLL_INTERVAL) };
    const ifOpen = (change: (now: number) => void) => {
      if (stream !== opened) return;
      change(clock.now());
      advance();
    };
    source.stream!(state.rows.at(-1)!, {
      signal: opened.signal,
      onOpen: () => ifOpen(() => state = goLive(state)),
      onEvents: (events) => ifOpen((now) => state = receiveEvents(state, events, now)),
    }).catch(async (error) => {
      if (stream === opened) await restartIfRewritten(error);
      return "refused" as const;
    }).then((end) =>
      ifOpen((now) => {
        stream = null;
        streamAt = end === "off"
          ? Infinity
          : now + (state.live ? CONFIG.STREAM_RETRY : CONFIG.STREAM_REFUSED_RETRY);
        state = endLive(state, now);
      })
    ).catch(reportError);
  };
  const closeStream = () => {
    if (stream === null) return;
    stream.abort();
    stream = null;
    state = endLive(state, clock.now());
  };
  /** Starts over with the chain's newest events, which are then the only ones that are shown. */
  const restartIfRewritten = async (error: unknown): Promise<LinkedEvent[]> => {
    if (!(error instanceof ChainRewritten) || source.newest === undefined) return [];
    const events = await source.newest().catch(() => []);
    if (events.length > 0) state = startOver(state, events, clock.now());
    return [];
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
      stream?.abort();
      stream = null;
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
      source: chain,
      onChange: (state, now) => setMoment({ state, now }),
    });
    return () => {
      run.stop();
      setMoment(null);
    };
  }, [receipt, chain]);
  return moment;
}
