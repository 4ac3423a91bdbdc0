/** Calls back once after a delay. Returns a function that cancels it. */
export type Schedule = (run: () => void, ms: number) => () => void;

/** Starts the runtime's own timers. */
export const scheduleTimeout: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
