import type { NodeState } from "../../lib/features/infra/mod.ts";

export const STATE_TEXTS: Record<NodeState, string> = {
  up: "Up",
  slow: "Slow",
  down: "Down",
  checking: "Checking",
  configured: "Not checked",
  off: "Off",
};

/** Shapes of 10 by 10, which differ without their colours. */
const MARKS: Record<NodeState, string> = {
  up: "M5 1a4 4 0 1 1 0 8a4 4 0 0 1 0-8z",
  slow: "M5 0.800 9.500 9h-9z",
  down: "M1 1h8v8h-8z",
  checking: "M5 1.200v2M5 6.800v2M1.200 5h2M6.800 5h2",
  configured: "M5 1.500a3.500 3.500 0 1 1 0 7a3.500 3.500 0 0 1 0-7z",
  off: "M1.500 5h7",
};

/** The mark of a state, at a place in an SVG image. */
export const StateMark = (
  { state, x = 0, y = 0 }: { state: NodeState; x?: number; y?: number },
) => <path class={`state-mark ${state}`} d={MARKS[state]} transform={`translate(${x} ${y})`} />;

/** A state as a mark and a text. */
export function StateLabel(
  { state, text = STATE_TEXTS[state] }: { state: NodeState; text?: string },
) {
  return (
    <span class={`state-label baseline muted ${state}`}>
      <svg class="rigid" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <StateMark state={state} />
      </svg>
      {text}
    </span>
  );
}
