import { momentText } from "../../../lib/console/times.ts";

/** A time to read: `Nov 21, 2026, 11:20 UTC`. */
export const Moment = ({ at }: { at: string }) => <time datetime={at}>{momentText(at)}</time>;
