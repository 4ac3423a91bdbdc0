/** The wait before a person can ask for another sign-in link, as their browser counts it. */
import { useLayoutEffect, useState } from "preact/hooks";
import { formatWait, HOUR_MS, MINUTE_MS, plural, SECOND_MS } from "../../lib/base/time.ts";
import { LINKS_PER_HOUR } from "../../lib/features/auth/link_terms.ts";
import { useCountdown } from "../useCountdown.ts";

const STORED = "sign_in_requests";

type Requests = Record<string, number[]>;

export interface LinkWait {
  /** Seconds until another link can be requested; null on the server. */
  left: number | null;
  /** True if this browser has used up the address's links. */
  usedUp: boolean;
}

/**
 * Counts a request for a link in this tab, and returns how long to wait before the next one. The
 * server counts too, but its response must not reveal whether others have asked for the address.
 *
 * @param email as typed
 * @param round changes with each request
 * @param minimum seconds to wait after every request
 * @param counts false if the page is shown without a new request
 */
export function useLinkWait(
  email: string,
  { round, minimum, counts }: { round: number; minimum: number; counts: boolean },
): LinkWait {
  const [asked, setAsked] = useState({ seconds: minimum, usedUp: false, round: 0 });
  useLayoutEffect(() => {
    const waitMs = countRequest(email.trim().toLowerCase(), counts);
    const seconds = Math.max(minimum, Math.ceil(waitMs / SECOND_MS));
    setAsked(({ round }) => ({ seconds, usedUp: waitMs > 0, round: round + 1 }));
  }, [round]);
  const left = useCountdown(asked.seconds, asked.round);
  return { left, usedUp: asked.usedUp && left !== 0 };
}

/** Adds a request, unless the server refuses it, and returns how long to wait for the next one. */
function countRequest(email: string, counts: boolean): number {
  const now = Date.now();
  try {
    const all: Requests = JSON.parse(sessionStorage.getItem(STORED) ?? "{}");
    const times = (all[email] ?? []).filter((time) => time <= now && now < time + HOUR_MS);
    if (counts && times.length < LINKS_PER_HOUR) times.push(now);
    sessionStorage.setItem(STORED, JSON.stringify({ ...all, [email]: times }));
    return times.length < LINKS_PER_HOUR ? 0 : times[0] + HOUR_MS - now;
  } catch {
    return 0; // Storage is blocked, or was changed by hand.
  }
}

/** Returns a wait in words, in seconds within the last minute: `in 12 minutes`, `in 45 s`. */
export const inWords = (seconds: number): string =>
  seconds > MINUTE_MS / SECOND_MS ? formatWait(seconds) : `in ${seconds} s`;

/** The note for a person who has used up the links of an address. */
export const USED_UP = `You have asked for ${plural(LINKS_PER_HOUR, "link")} within an hour, the ` +
  "most that we send to one mailbox for this sign-in. Use the one in the latest email.";
