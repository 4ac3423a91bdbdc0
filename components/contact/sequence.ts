/** The states of the animated sequence after an enquiry (spec 3), as pure functions without timers. */
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { duration, type Pace, progress } from "./typing.ts";

/**
 * The parts of the sequence, in their order:
 *
 * - `standby`: the page holds still
 * - `fade`: it turns black
 * - `teletype`: the lines of the message are typed
 * - `ends`: its ending is typed
 * - `feed`: the first events are typed
 * - `watch`: it can be closed, and polls for new events
 */
type Phase = "standby" | "fade" | "teletype" | "ends" | "feed" | "watch";

/** The content of the sequence. Lengths are in characters. */
export interface Plan {
  pace: Pace;
  /** The lengths of the message's lines; 0 for lines that appear at once, such as the QR code. */
  lines: readonly number[];
  ending: number;
  /** The chain's events at registration, newest last. */
  events: readonly LinkedEvent[];
  lengthOf: (event: LinkedEvent) => number;
}

/**
 * A state of the sequence. It has an end time, from which a late call continues, so timing does not drift and a tab
 * that was hidden catches up.
 */
export interface Sequence {
  readonly plan: Plan;
  readonly phase: Phase;
  readonly since: number;
  /** The feed's events, newest last; empty before the feed. */
  readonly rows: readonly LinkedEvent[];
  /** How many of the rows are typed; the next one is being typed. */
  readonly typed: number;
  readonly rowSince: number;
  /** The time of the next poll; null during a poll and after the last one. */
  readonly nextPoll: number | null;
  readonly polledAt: number | null;
  /** True if a stream is open. Then there are no polls. */
  readonly live: boolean;
  /** How often the feed started over, because the server's chain had been rewritten. */
  readonly restarts: number;
}

export function begin(plan: Plan, now: number): Sequence {
  return {
    plan,
    phase: "standby",
    since: now,
    rows: [],
    typed: 0,
    rowSince: now,
    nextPoll: null,
    polledAt: null,
    live: false,
    restarts: 0,
  };
}

/** Begins with events that are already on the page, so that only new ones are typed. */
export function beginWatching(plan: Plan, now: number): Sequence {
  const rows = plan.events;
  return { ...begin(plan, now), phase: "watch", rows, typed: rows.length, nextPoll: now };
}

/** Watches for another {@link CONFIG.POLL_TIMEOUT}. If it had stopped watching, it begins with a poll. */
export const watchAgain = (state: Sequence, now: number): Sequence => ({
  ...state,
  since: now,
  nextPoll: isWatching(state) ? state.nextPoll : now,
});

/** Returns when the state ends by itself, or `Infinity` if it does not. */
export function endOf(state: Sequence): number {
  const { pace } = state.plan;
  if (state.phase === "standby") return state.since + pace.standby;
  if (state.phase === "fade") return state.since + pace.fade;
  const [lengths, since] = typing(state);
  return lengths.length === 0 ? Infinity : since + duration(lengths, pace);
}

export function step(state: Sequence): Sequence {
  const now = endOf(state);
  const enter = (phase: Phase): Sequence => ({ ...state, phase, since: now });
  switch (state.phase) {
    case "standby":
      return enter("fade");
    case "fade":
      return enter("teletype");
    case "teletype":
      return enter("ends");
    case "ends": {
      const rows = state.plan.events.slice(-CONFIG.CHAIN_PREVIEW_COUNT);
      return { ...enter("feed"), rows, rowSince: now };
    }
    case "feed":
    case "watch": {
      const typed = state.typed + 1;
      const next = { ...state, typed, rowSince: now };
      if (state.phase === "watch" || typed < state.rows.length) return next;
      return { ...next, phase: "watch", since: now, nextPoll: now + CONFIG.POLL_INTERVAL };
    }
  }
}

/** Completes the text of the teletype, and leaves the time after its last line. Other phases stay. */
export function completeText(state: Sequence, now: number): Sequence {
  const { plan: { lines, pace }, phase, since } = state;
  if (phase !== "teletype") return state;
  return { ...state, since: Math.min(since, now - (duration(lines, pace) - pace.step)) };
}

export const startPoll = (state: Sequence, now: number): Sequence => ({
  ...state,
  nextPoll: null,
  polledAt: now,
});

/**
 * Returns the state after a poll: new events are typed at the bottom. If there are more of them
 * than the feed started with, only the last ones are typed.
 */
export function receiveEvents(
  state: Sequence,
  events: readonly LinkedEvent[],
  now: number,
): Sequence {
  const last = state.rows.at(-1)?.seq ?? -1;
  const rows = [...state.rows, ...events.filter(({ seq }) => seq > last)];
  const idle = state.typed === state.rows.length;
  const typed = Math.max(state.typed, rows.length - CONFIG.CHAIN_PREVIEW_COUNT);
  const next = Math.max(now, (state.polledAt ?? now) + CONFIG.POLL_INTERVAL);
  return {
    ...state,
    rows,
    typed,
    rowSince: idle || typed > state.typed ? now : state.rowSince,
    polledAt: null,
    nextPoll: !state.live && next <= endOfWatch(state) ? next : null,
  };
}

/** Returns when the feed stops watching by itself. */
export const endOfWatch = ({ since }: Sequence): number => since + CONFIG.POLL_TIMEOUT;

export const goLive = (state: Sequence): Sequence => ({ ...state, live: true, nextPoll: null });

/** Returns the state after a stream has ended or could not be opened: polling begins at once. */
export const endLive = (state: Sequence, now: number): Sequence => ({
  ...state,
  live: false,
  nextPoll: isWatching(state) && state.polledAt === null && now < endOfWatch(state) ? now : null,
});

/** Returns the feed with the newest events of a rewritten chain, which are typed. */
export const startOver = (
  state: Sequence,
  events: readonly LinkedEvent[],
  now: number,
): Sequence => ({
  ...state,
  rows: events,
  typed: 0,
  rowSince: now,
  restarts: state.restarts + 1,
});

export const isWatching = ({ phase, nextPoll, polledAt, live }: Sequence): boolean =>
  phase === "watch" && (nextPoll !== null || polledAt !== null || live);

/** Returns whether the user may close it, which is once the feed's first events are typed. */
export const isClosable = ({ phase }: Sequence): boolean => phase === "watch";

/** Returns when the view changes next, or the next poll is due. */
export function nextChange(state: Sequence, now: number): number {
  const watch = state.live ? endOfWatch(state) : state.nextPoll;
  return Math.min(endOf(state), nextChar(state, now), watch ?? Infinity);
}

/** Returns the lengths of the lines that are being typed, and since when. */
export function typing(
  { plan, phase, since, rows, typed, rowSince }: Sequence,
): [lengths: readonly number[], since: number] {
  switch (phase) {
    case "standby":
    case "fade":
      return [[], since];
    case "teletype":
      return [plan.lines, since];
    case "ends":
      return [[plan.ending], since];
    default:
      return [rows.slice(typed, typed + 1).map(plan.lengthOf), rowSince];
  }
}

function nextChar(state: Sequence, now: number): number {
  const { pace } = state.plan;
  if (pace.char === 0) return Infinity;
  const [lengths, since] = typing(state);
  const { line, chars } = progress(lengths, now - since, pace);
  if (line === lengths.length) return Infinity;
  const start = since + duration(lengths.slice(0, line), pace);
  return start +
    (chars < lengths[line] ? (chars + 1) * pace.char : duration([lengths[line]], pace));
}
