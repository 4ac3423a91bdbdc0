import { useEffect, useState } from "preact/hooks";
import { ageText } from "../lib/console/ages.ts";
import { momentText } from "../lib/console/times.ts";

/** Often enough that a minute never looks like two. */
const TICK_MS = 5_000;

/**
 * How long ago something was, and true for as long as the page is open. It counts on from the
 * server's time, so that a browser whose clock is wrong shows the same.
 *
 * @example
 * ```tsx
 * Updated <Ago time={summary.cached_at} now={new Date(clock()).toISOString()} />
 * ```
 */
export default function Ago({ time, now }: {
  /** ISO 8601, in UTC. */
  time: string;
  /** The server's time when it rendered this. */
  now: string;
}) {
  const times = time + now;
  const [counted, setCounted] = useState({ times, since: 0 });
  useEffect(() => {
    const begin = Date.now();
    const count = () => setCounted({ times, since: Date.now() - begin });
    count();
    const timer = setInterval(count, TICK_MS);
    return () => clearInterval(timer);
  }, [times]);
  // What was counted from other times is none of these.
  const since = counted.times === times ? counted.since : 0;
  return (
    <time datetime={time} title={momentText(time)}>
      {ageText(Date.parse(now) - Date.parse(time) + since)}
    </time>
  );
}
