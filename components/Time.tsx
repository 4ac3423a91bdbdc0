import type { JSX } from "preact";
import { formatDateTime, formatDay } from "../lib/base/time.ts";

interface TimeProps extends JSX.HTMLAttributes<HTMLTimeElement> {
  /** ISO 8601, in UTC. */
  at: string;
  /** Shows the date only. */
  day?: boolean;
}

/** A date with its time and zone, as the site's setting writes it. */
export const Time = ({ at, day = false, ...others }: TimeProps) => (
  <time {...others} datetime={at}>{day ? formatDay(at) : formatDateTime(at)}</time>
);
