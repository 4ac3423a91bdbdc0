import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Counts down seconds to 0, and restarts when `round` changes. Null on the server and until it
 * starts.
 */
export function useCountdown(seconds: number, round: number): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useLayoutEffect(() => {
    // Timers on background pages are delayed, and the system clock may change.
    const end = performance.now() + seconds * 1000;
    const tick = () => {
      const rest = Math.max(0, Math.ceil((end - performance.now()) / 1000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    };
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, [seconds, round]);
  return left;
}
