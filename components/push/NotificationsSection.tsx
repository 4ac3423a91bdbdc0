import type { PushOverview } from "../../lib/push/mod.ts";
import { Section } from "../records/Section.tsx";
import { DeviceList } from "./DeviceList.tsx";

/**
 * The section of the record page about notifications; nothing if this site sends none and the record
 * has no device.
 */
export function NotificationsSection({ overview }: { overview: PushOverview }) {
  const { devices, platforms } = overview;
  if (devices.length === 0 && platforms.length === 0) return null;
  return (
    <Section
      id="notifications"
      title="Notifications"
      lead="A short message on your phone or in your browser when something happens to your record."
    >
      {platforms.length === 0 && <p>This site does not send notifications at the moment.</p>}
      <DeviceList devices={devices} />
      <p>
        <a class="button small" href="/my-record/notifications">Choose what you receive</a>
      </p>
    </Section>
  );
}
