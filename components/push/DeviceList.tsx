import type { DeviceSummary } from "../../lib/push/mod.ts";
import { formatDay } from "../../lib/time.ts";

/** The devices that receive a record's notifications, with forms that remove them. */
export function DeviceList({ devices }: { devices: readonly DeviceSummary[] }) {
  if (devices.length === 0) return <p>No phone or browser receives notifications yet.</p>;
  return (
    <ul class="push-devices">
      {devices.map(({ id, name, platform, created_at, last_seen, failing }) => (
        <li key={id}>
          <div>
            <strong>{name}</strong>
            <p class="muted">
              {platform === "web" ? "Browser" : "App"} · added {formatDay(created_at)} · last seen
              {" "}
              {formatDay(last_seen)}
            </p>
            {failing && <p class="push-failing">The last notification was not delivered yet.</p>}
          </div>
          <form method="post" action="/my-record/notifications">
            <input type="hidden" name="act" value="remove" />
            <input type="hidden" name="id" value={id} />
            <button type="submit" class="button small" aria-label={`Remove ${name}`}>Remove</button>
          </form>
        </li>
      ))}
    </ul>
  );
}
