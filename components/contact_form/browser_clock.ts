import type { Clock } from "./run_sequence.ts";

/** The browser's time, which no change of the system's clock moves. */
export const browserClock: Clock = {
  now: () => performance.now(),
  at(time, run) {
    // Browsers cut a fraction off, and would call too early, to be asked again for the rest.
    const timer = setTimeout(run, Math.ceil(time - performance.now()));
    return () => clearTimeout(timer);
  },
  isHidden: () => document.visibilityState === "hidden",
  onVisibility(run) {
    document.addEventListener("visibilitychange", run);
    return () => document.removeEventListener("visibilitychange", run);
  },
};
