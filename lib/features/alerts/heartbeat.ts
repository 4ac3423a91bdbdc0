import { SECOND_MS } from "../../base/time.ts";
import type { Platform } from "../../platform/feature.ts";

const LIMIT_MS = 10 * SECOND_MS;

/**
 * Creates the function that tells an outside monitor that the site is healthy. The monitor raises the alarm
 * when it hears nothing, so this also covers a site that has stopped, and mail that does not leave.
 *
 * @param url returns the address; null for none. It may contain a key, so it is never logged
 * @returns the function; its argument is why nothing is sent now, null if the site is healthy
 */
export function createHeartbeat(
  { fetch, log, url }: Pick<Platform, "fetch" | "log"> & { url: () => string | null },
): (silence: string | null) => Promise<void> {
  let last: string | null = null;

  async function beat(address: string): Promise<string | null> {
    try {
      const signal = AbortSignal.timeout(LIMIT_MS);
      const response = await fetch(address, { redirect: "manual", signal });
      await response.body?.cancel();
      return response.ok ? null : `status_${response.status}`;
    } catch {
      return "no_response";
    }
  }

  return async (silence) => {
    const address = url();
    if (address === null) return;
    const reason = silence ?? await beat(address);
    if (reason === last) return;
    last = reason;
    if (reason === null) log({ level: "info", event: "heartbeat_resumed" });
    else log({ level: "warn", event: "heartbeat_stopped", reason });
  };
}
