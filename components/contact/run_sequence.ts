/** Runs the animated sequence after an enquiry in real time: timers, the page's visibility, and new events. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
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
  typing,
} from "./sequence.ts";
import { FULL_PACE, type Pace, progress, REDUCED_PACE } from "./typing.ts";

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

/** A sequence as signals, each of which changes only when a view of it does. */
export interface LiveSequence {
  state: ReadonlySignal<Sequence>;
  phase: ReadonlySignal<Sequence["phase"]>;
  /** The line that is being typed, counted from 0. */
  line: ReadonlySignal<number>;
  /** How many of its characters are typed. */
  chars: ReadonlySignal<number>;
  /** Continues with a state that follows from the current one. */
  change(next: (state: Sequence, now: number) => Sequence): void;
  /** Starts its timer, listener and requests. Returns a function that stops them for good. */
  run(): () => void;
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
 * Creates a sequence, which runs with at most one timer, and none while the page is hidden. Every
 * state is set in order, even if it lasts no time. While it watches and the page is visible, it has
 * one stream, and polls if there is none.
 *
 * @param start returns the first state
 */
export function createSequence(
  { plan, start = begin, clock, source }: {
    plan: Plan;
    start?: (plan: Plan, now: number) => Sequence;
    clock: Clock;
    source: EventSource;
  },
): LiveSequence {
  const time = signal(clock.now());
  const state = signal(start(plan, time.value));
  const position = computed(() => {
    const [lengths, since] = typing(state.value);
    return progress(lengths, time.value - since, plan.pace);
  });
  let cancel = () => {};
  let stopped = false;
  let stream: AbortController | null = null;
  /** When a stream may be opened next. */
  let streamAt = source.stream === undefined ? Infinity : 0;

  const advance = () => {
    cancel();
    if (clock.isHidden()) return closeStream();
    const now = clock.now();
    time.value = now;
    while (endOf(state.value) <= now) state.value = step(state.value);
    const watches = isWatching(state.value) && now < endOfWatch(state.value);
    if (!watches) closeStream();
    else if (stream === null && state.value.polledAt === null && now >= streamAt) openStream(now);
    const { nextPoll } = state.value;
    if (nextPoll !== null && nextPoll <= now) pollChain(now);
    const next = nextChange(state.value, now);
    if (next < Infinity) cancel = clock.at(next, advance);
  };
  const change: LiveSequence["change"] = (next) => {
    if (stopped) return;
    state.value = next(state.value, clock.now());
    advance();
  };
  const pollChain = (now: number) => {
    state.value = startPoll(state.value, now);
    source.after(state.value.rows.at(-1)!).catch(restartIfRewritten)
      .then((events) => change((state, now) => receiveEvents(state, events, now)))
      .catch(reportError);
  };
  const openStream = (now: number) => {
    const opened = stream = new AbortController();
    // The stream begins with the events that a poll would return.
    const nextPoll = Math.max(state.value.nextPoll ?? 0, now + CONFIG.POLL_INTERVAL);
    state.value = { ...state.value, nextPoll };
    const ifOpen: LiveSequence["change"] = (next) => stream === opened && change(next);
    source.stream!(state.value.rows.at(-1)!, {
      signal: opened.signal,
      onOpen: () => ifOpen(goLive),
      onEvents: (events) => ifOpen((state, now) => receiveEvents(state, events, now)),
    }).catch(async (error) => {
      if (stream === opened) await restartIfRewritten(error);
      return "refused" as const;
    }).then((end) =>
      ifOpen((state, now) => {
        stream = null;
        streamAt = end === "off"
          ? Infinity
          : now + (state.live ? CONFIG.STREAM_RETRY : CONFIG.STREAM_REFUSED_RETRY);
        return endLive(state, now);
      })
    ).catch(reportError);
  };
  const closeStream = () => {
    if (stream === null) return;
    stream.abort();
    stream = null;
    state.value = endLive(state.value, clock.now());
  };
  /** Starts over with the chain's newest events, which are then the only ones that are shown. */
  const restartIfRewritten = async (error: unknown): Promise<LinkedEvent[]> => {
    if (!(error instanceof ChainRewritten) || source.newest === undefined) return [];
    const events = await source.newest().catch(() => []);
    if (events.length > 0) state.value = startOver(state.value, events, clock.now());
    return [];
  };
  return {
    state,
    phase: computed(() => state.value.phase),
    line: computed(() => position.value.line),
    chars: computed(() => position.value.chars),
    change,
    run() {
      const unsubscribe = clock.onVisibility(advance);
      advance();
      return () => {
        stopped = true;
        cancel();
        unsubscribe();
        stream?.abort();
        stream = null;
      };
    },
  };
}

/** Returns the pace that the reader prefers. On the server, nothing is typed. */
export const preferredPace = (): Pace =>
  globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ? REDUCED_PACE : FULL_PACE;

/** Runs the sequence after a registration. */
export function useSequence(
  receipt: Receipt | null,
  chain: ChainClient | null,
): LiveSequence | null {
  const sequence = useMemo(() =>
    receipt && createSequence({
      plan: {
        pace: preferredPace(),
        lines: messageOf(receipt).map(lineLength),
        ending: CONFIG.COPY.MESSAGE_ENDS.length,
        events: receipt.events,
        lengthOf: (event) => rowLength(event),
      },
      clock: browserClock,
      source: chain!,
    }), [receipt]);
  useEffect(() => sequence?.run(), [sequence]);
  return sequence;
}
