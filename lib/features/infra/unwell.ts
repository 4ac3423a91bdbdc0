import { MINUTE_MS } from "../../base/time.ts";
import { MAIL_CHANNEL } from "../../platform/mail/mod.ts";
import type { HealthRow } from "./health_job.ts";

/** The job `health` runs every five minutes; after this time, it does not run at all. */
const LATE_MS = 20 * MINUTE_MS;

/**
 * Returns why nobody may learn of the site's problems, as a stable code: nothing measures them, the mail
 * server does not respond, or mail waits too long. Null before the first measurement and if there is no
 * such reason.
 */
export function unwellOf(
  health: Pick<HealthRow, "at" | "readings"> | null,
  now: number,
): string | null {
  if (health === null) return null;
  if (now - Date.parse(health.at) > LATE_MS) return "not_measured";
  const bad = health.readings.filter(({ state }) => state === "bad").map(({ id }) => id);
  if (bad.includes("service_down:mail")) return "mail_down";
  return bad.some((id) => id.startsWith(`messages_waiting:${MAIL_CHANNEL}`))
    ? "mail_waiting"
    : null;
}
