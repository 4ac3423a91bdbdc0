import type { PushOverview } from "../../lib/features/push/mod.ts";
import { BrowserNotifications } from "./BrowserNotifications.tsx";

/** The devices of a record, and what browsers without scripts show instead of the button. */
export function Devices({ overview: { devices, platforms }, ...options }: {
  overview: PushOverview;
  hash: string;
  /** The public key of Web Push, as in {@link BrowserNotifications}. */
  vapid: string | null;
  testable?: boolean;
}) {
  return (
    <>
      {platforms.length === 0 && <p>This site does not send notifications at the moment.</p>}
      <BrowserNotifications devices={devices} {...options} />
      {options.vapid !== null && (
        <noscript>
          <p class="muted">To receive notifications in this browser, turn on JavaScript.</p>
        </noscript>
      )}
    </>
  );
}
