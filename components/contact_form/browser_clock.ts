import type { Clock } from "./run_sequence.ts";

/** The browser's time, which no change of the system's clock moves. */
export const browserClock: Clock = {
  now: () => performance.now(),
  at(time, run) {
    const timer = setTimeout(run, time - performance.now());
    return () => clearTimeout(timer);
  },
  isHidden: () => document.visibilityState === "hidden",
  onVisibility(run) {
    document.addEventListener("visibilitychange", run);
    return () => document.removeEventListener("visibilitychange", run);
  },
};
