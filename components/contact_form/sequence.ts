import type { LinkedEvent } from "../../lib/chain/mod.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import { duration, type Pace, progress } from "./typing.ts";

/**
 * What follows a registration (spec 3, "Contact post-submit"), apart from how it is drawn: a state,
 * and pure functions from one to the next. Every state says when it ends, and a late call moves on
 * from that moment, so nothing drifts and a tab that was hidden catches up.
 *
 * @module
 */

/** `watch` is the feed once its first events are typed: closable, and looking for new ones. */
export type Phase = "standby" | "fade" | "teletype" | "ends" | "feed" | "watch";

/** What is going to be shown; lengths are in characters. */
export interface Plan {
  pace: Pace;
  /** Of the message's lines; 0 for what appears at once, like the QR code. */
  lines: readonly number[];
  /** Of the last line, `MESSAGE ENDS`. */
  ending: number;
  /** What the chain held at registration, the newest last. */
  events: readonly LinkedEvent[];
  /** How many characters an event is typed with. */
  lengthOf: (event: LinkedEvent) => number;
}

export interface Sequence {
  readonly plan: Plan;
  readonly phase: Phase;
  /** When the phase began. */
  readonly since: number;
  /** The feed's events, the newest last; none before its phase. */
  readonly rows: readonly LinkedEvent[];
  /** How many of the rows are typed; the next one is being typed. */
  readonly typed: number;
  /** When the row that is being typed began. */
  readonly rowSince: number;
  /** When the chain is asked for new events next; null while it is being asked, and when it is over. */
  readonly nextPoll: number | null;
  /** When the answer that is awaited was asked for. */
  readonly asked: number | null;
}

/** Begins with the receipt card. */
export function begin(plan: Plan, now: number): Sequence {
  return {
    plan,
    phase: "standby",
    since: now,
    rows: [],
    typed: 0,
    rowSince: now,
    nextPoll: null,
    asked: null,
  };
}

/** When the state changes by itself; `Infinity` when nothing more is to come. */
export function endOf(state: Sequence): number {
  const { plan, phase, since } = state;
  switch (phase) {
    case "standby":
      return since + plan.pace.standby;
    case "fade":
      return since + plan.pace.fade;
    case "teletype":
      return since + duration(plan.lines, plan.pace);
    case "ends":
      return since + duration([plan.ending], plan.pace);
    default:
      return rowEnd(state);
  }
}

function rowEnd({ plan, rows, typed, rowSince }: Sequence): number {
  if (typed === rows.length) return Infinity;
  return rowSince + duration([plan.lengthOf(rows[typed])], plan.pace);
}

/** The state that follows at `endOf(state)`. */
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

/** Notes that the chain is being asked for what is new. */
export const ask = (state: Sequence, now: number): Sequence => ({
  ...state,
  nextPoll: null,
  asked: now,
});

/**
 * Takes the answer: what is new is typed in at the bottom. Where more came at once than the feed
 * begins with, only the last of them are typed.
 */
export function answer(state: Sequence, events: readonly LinkedEvent[], now: number): Sequence {
  const last = state.rows.at(-1)?.seq ?? -1;
  const rows = [...state.rows, ...events.filter(({ seq }) => seq > last)];
  const idle = state.typed === state.rows.length;
  const typed = Math.max(state.typed, rows.length - CONFIG.CHAIN_PREVIEW_COUNT);
  const next = Math.max(now, (state.asked ?? now) + CONFIG.POLL_INTERVAL);
  return {
    ...state,
    rows,
    typed,
    rowSince: idle || typed > state.typed ? now : state.rowSince,
    asked: null,
    nextPoll: next <= state.since + CONFIG.POLL_TIMEOUT ? next : null,
  };
}

/** Whether new events are still looked for. */
export const isWatching = ({ phase, nextPoll, asked }: Sequence): boolean =>
  phase === "watch" && (nextPoll !== null || asked !== null);

/** Whether the person may close: the feed's first events are typed. */
export const isClosable = ({ phase }: Sequence): boolean => phase === "watch";

/** When the drawing changes next: a character, a state, or a question to the chain. */
export function nextChange(state: Sequence, now: number): number {
  return Math.min(endOf(state), nextChar(state, now), state.nextPoll ?? Infinity);
}

function nextChar(state: Sequence, now: number): number {
  const { plan, phase } = state;
  const { char } = plan.pace;
  if (char === 0 || phase === "standby" || phase === "fade") return Infinity;
  const [lengths, since] = phase === "teletype"
    ? [plan.lines, state.since]
    : phase === "ends"
    ? [[plan.ending], state.since]
    : [state.rows.slice(state.typed, state.typed + 1).map(plan.lengthOf), state.rowSince];
  const { line, chars } = progress(lengths, now - since, plan.pace);
  if (line === lengths.length) return Infinity;
  const start = since + duration(lengths.slice(0, line), plan.pace);
  return start +
    (chars < lengths[line] ? (chars + 1) * char : duration([lengths[line]], plan.pace));
}
