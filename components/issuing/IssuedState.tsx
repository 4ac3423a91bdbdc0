import { ISSUED_STATES, type IssuedState } from "../../lib/features/issuing/mod.ts";

const COLOURS: Record<IssuedState, string> = {
  waiting: "warn",
  accepted: "good",
  refused: "bad",
  lapsed: "",
  withdrawn: "bad",
  expired: "",
};

export const IssuedPill = ({ state }: { state: IssuedState }) => (
  <span class={`pill ${COLOURS[state]}`.trim()}>{ISSUED_STATES[state]}</span>
);
