import type { PushOverview } from "../../lib/features/push/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { FoldedSection } from "../Section.tsx";
import { Devices } from "./Devices.tsx";

/**
 * The section of the record page about notifications. Renders nothing if this site sends no
 * notifications and the record has no device.
 */
export function NotificationsSection({ overview, hash, vapid }: {
  overview: PushOverview;
  hash: string;
  vapid: string | null;
}) {
  return (
    <FoldedSection
      id="notifications"
      title="Notifications"
      state={plural(overview.devices.length, "device")}
      lead="A short message on your phone or in your browser when something happens to your record."
    >
      <Devices {...{ overview, hash, vapid }} />
      <p>
        <a class="button small" href="/my-record/notifications">
          Choose what you receive, or send a test
        </a>
      </p>
    </FoldedSection>
  );
}
