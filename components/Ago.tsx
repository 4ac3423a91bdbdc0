import { useEffect, useState } from "preact/hooks";
import { formatAge, formatDateTime, SECOND_MS } from "../lib/base/time.ts";

const UPDATE_INTERVAL_MS = 5 * SECOND_MS;

/**
 * A time as an age, updated while the page is open. It is based on the server's time, so that it is
 * correct in a browser whose clock is wrong.
 *
 * @example
 * ```tsx
 * Updated <Ago time={summary.cached_at} now={new Date(clock()).toISOString()} />
 * ```
 */
export function Ago({ time, now }: {
  /** ISO 8601, in UTC. */
  time: string;
  /** The server's time when it rendered the page. */
  now: string;
}) {
  const times = time + now;
  const [elapsed, setElapsed] = useState({ times, ms: 0 });
  useEffect(() => {
    const start = Date.now();
    const update = () => setElapsed({ times, ms: Date.now() - start });
    update();
    const timer = setInterval(update, UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [times]);
  // Ignores the time that elapsed with earlier props.
  const ms = elapsed.times === times ? elapsed.ms : 0;
  return (
    <time datetime={time} title={formatDateTime(time)}>
      {formatAge(Date.parse(now) - Date.parse(time) + ms)}
    </time>
  );
}
