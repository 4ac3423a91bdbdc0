/** The interactive part of the notification settings in “My record”. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { DeviceSummary } from "../../lib/features/push/mod.ts";
import { appStorage } from "../../lib/features/push/app/saved.ts";
import {
  type BrowserPush,
  type BrowserPushResult,
  type BrowserPushState,
  createBrowserPush,
} from "../../lib/features/push/app/subscription.ts";
import { DeviceList } from "./DeviceList.tsx";
import { browserSupport, pushBrowser } from "./support.ts";

export interface BrowserNotificationsProps {
  devices: DeviceSummary[];
  /** The hash of the open record. */
  hash: string;
  /** The site's VAPID public key; null if it does not send notifications to browsers. */
  vapid: string | null;
  /** True to offer a test. */
  testable?: boolean;
}

type View = BrowserPushState | "checking" | "unsupported" | "home_screen";

/**
 * The devices of a record, and the button that turns notifications in this browser on and off.
 * Without scripts it is only the list.
 */
export function BrowserNotifications(
  { devices, hash, vapid, testable = false }: BrowserNotificationsProps,
) {
  const [list, setList] = useState(devices);
  const [view, setView] = useState<View>("checking");
  const [own, setOwn] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const push = useRef<BrowserPush>();

  const apply = ({ state, device, removed, problem }: BrowserPushResult) => {
    setView(state);
    setProblem(problem ?? null);
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
  const run = async (work: () => Promise<BrowserPushResult>) => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      apply(await work());
    } catch {
      setProblem("Something went wrong. Reload the page and try again.");
    } finally {
      setBusy(false);
    }
  };

  useEffect(() => {
    if (vapid === null) return;
    const support = browserSupport();
    if (support !== "ok") return setView(support);
    push.current = createBrowserPush(pushBrowser(appStorage(caches)), { hash, vapid });
    push.current.compare(devices.map(({ id }) => id)).then(apply, () => setView("unsupported"));
  }, []);

  return (
    <>
      <DeviceList devices={list} own={own} />
      {vapid !== null && (
        <div class="push-browser below-5">
          <Choice
            view={view}
            busy={busy}
            onTurnOn={() => run(push.current!.turnOn)}
            onTurnOff={() => run(push.current!.turnOff)}
          />
          <p role="alert" class="below-3 push-problem">{problem}</p>
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

function Choice({ view, busy, onTurnOn, onTurnOff }: {
  view: View;
  busy: boolean;
  onTurnOn: () => void;
  onTurnOff: () => void;
}) {
  const turnOn = (
    <button type="button" class="button primary small" aria-disabled={busy} onClick={onTurnOn}>
      {busy ? "Turning on…" : "Turn on notifications"}
    </button>
  );
  switch (view) {
    case "checking":
      return null;
    case "off":
      return (
        <>
          {turnOn}
          <p class="above-3 below-3 muted text-small">
            Your browser will ask you for permission. A notification contains a short text and
            nothing about you.
          </p>
        </>
      );
    case "elsewhere":
      return (
        <>
          <p class="below-3">
            This browser receives the notifications of another record. It can receive those of one
            record only.
          </p>
          {turnOn}
        </>
      );
    case "on":
      return (
        <>
          <p class="accent below-3" role="status">This browser receives notifications.</p>
          <button type="button" class="button small" aria-disabled={busy} onClick={onTurnOff}>
            {busy ? "Turning off…" : "Turn off notifications"}
          </button>
        </>
      );
    case "denied":
      return (
        <div class="box push-note pad-4-5">
          <p>
            <strong>Your browser blocks notifications from this site.</strong>
          </p>
          <p>
            To receive them, open the site’s settings (the icon beside the address, or the system’s
            notification settings if you installed the app), allow notifications, and reload this
            page. In a private window they are always blocked.
          </p>
        </div>
      );
    case "home_screen":
      return (
        <div class="box push-note pad-4-5">
          <p>
            <strong>On an iPhone or iPad, notifications need the app.</strong>{" "}
            It requires iOS 16.4 or later.
          </p>
          <ol>
            <li>Tap Share, and then “Add to Home Screen”.</li>
            <li>
              Open My record from the Home Screen, sign in there, and return to this section.
            </li>
          </ol>
          <p class="muted text-small">
            The app has its own sign-in. Use a passkey or a code, because links in mails open in the
            browser.
          </p>
        </div>
      );
    case "unsupported":
      return (
        <p class="above-3 below-3 muted text-small">
          This browser cannot receive notifications. Current versions of Chrome, Edge, Firefox and
          Safari can, but not in a private window.
        </p>
      );
  }
}
