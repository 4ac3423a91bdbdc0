import type { DeviceSummary } from "../../lib/features/push/mod.ts";
import { Time } from "../Time.tsx";

/**
 * The devices that receive a record's notifications, with forms that remove them.
 *
 * @param own the id of the browser that shows the page, if it is one of them
 */
export function DeviceList({ devices, own = null }: {
  devices: readonly DeviceSummary[];
  own?: string | null;
}) {
  if (devices.length === 0) return <p>No phone or browser receives notifications yet.</p>;
  return (
    <ul class="push-devices below-4">
      {devices.map(({ id, name, platform, created_at, last_seen, failing }) => (
        <li class="cluster gap-4 apart" key={id}>
          <div>
            <strong class="anywhere">{name}</strong>{" "}
            {id === own && (
              <span class="push-own framed muted text-small nowrap">
                this browser
              </span>
            )}
            <p class="flush muted">
              {platform === "web" ? "Browser" : "App"} · added <Time at={created_at} day />{" "}
              · last seen <Time at={last_seen} day />
            </p>
            {failing && (
              <p class="flush push-failing">The last notification was not delivered yet.</p>
            )}
          </div>
          <form class="rigid" method="post" action="/my-record/notifications">
            <input type="hidden" name="act" value="remove" />
            <input type="hidden" name="id" value={id} />
            <button type="submit" class="button small" aria-label={`Remove ${name}`}>Remove</button>
          </form>
        </li>
      ))}
    </ul>
  );
}
