import { useLayoutEffect, useState } from "preact/hooks";

/**
 * Counts whole seconds down to 0, anew for each `round`.
 *
 * @returns null on the server and until it runs
 */
export function useCountdown(seconds: number, round: number): number | null {
  const [left, setLeft] = useState<number | null>(null);
  useLayoutEffect(() => {
    // Timers of pages in the background run late, and the time of day may be set back.
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
