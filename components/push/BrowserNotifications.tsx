/** The interactive part of the notification settings in “My record”. */
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { DeviceSummary } from "../../lib/features/push/mod.ts";
import type { BrowserPushResult } from "../../lib/features/push/app/subscription.ts";
import type { BrowserChoiceProps } from "./BrowserChoice.tsx";
import { DeviceList } from "./DeviceList.tsx";

export interface BrowserNotificationsProps {
  devices: DeviceSummary[];
  /** The hash of the open record. */
  hash: string;
  /** The site's VAPID public key; null if it does not send notifications to browsers. */
  vapid: string | null;
  /** True to offer a test. */
  testable?: boolean;
}

/**
 * The devices of a record, and the button that turns notifications in this browser on and off.
 * Without scripts it is only the list.
 */
export function BrowserNotifications(
  { devices, hash, vapid, testable = false }: BrowserNotificationsProps,
) {
  const [list, setList] = useState(devices);
  const [own, setOwn] = useState<string | null>(null);
  const [Choice, setChoice] = useState<ComponentType<BrowserChoiceProps> | null>(null);
  const [failed, setFailed] = useState(false);
  const place = useRef<HTMLDivElement>(null);

  const apply = ({ state, device, removed }: BrowserPushResult) => {
    if (state !== "on") setOwn(null);
    else if (device !== undefined) setOwn(device.id);
    if (device === undefined && removed === undefined) return;
    setList((before) => {
      const rest = before.filter(({ id }) => id !== removed && id !== device?.id);
      const known = before.find(({ id }) => id === device?.id);
      const added = device === undefined ? [] : [known ?? device as unknown as DeviceSummary];
      return [...rest, ...added];
    });
  };

  useEffect(() => {
    if (vapid === null) return;
    return whenNeeded(place.current!, () => {
      import("./BrowserChoice.tsx")
        .then(({ BrowserChoice }) => setChoice(() => BrowserChoice), () => setFailed(true));
    });
  }, []);

  return (
    <>
      <DeviceList devices={list} own={own} />
      {vapid !== null && (
        <div class="push-browser below-5" ref={place}>
          {Choice !== null && (
            <Choice devices={devices.map(({ id }) => id)} {...{ hash, vapid }} onResult={apply} />
          )}
          {failed && (
            <p role="alert" class="below-3 push-problem">
              Something went wrong. Reload the page and try again.
            </p>
          )}
        </div>
      )}
      {testable && list.length > 0 && (
        <form method="post" action="/my-record/notifications">
          <input type="hidden" name="act" value="test" />
          <button type="submit" class="button small">Send a test</button>
        </form>
      )}
    </>
  );
}

/**
 * Calls a function when the section around an element is unfolded. A browser that may receive notifications
 * needs it at once, because it may have lost its subscription.
 */
function whenNeeded(element: HTMLElement, load: () => void): (() => void) | undefined {
  const fold = element.closest("details");
  if (fold === null || fold.open || globalThis.Notification?.permission === "granted") {
    return void load();
  }
  fold.addEventListener("toggle", load, { once: true });
  return () => fold.removeEventListener("toggle", load);
}
