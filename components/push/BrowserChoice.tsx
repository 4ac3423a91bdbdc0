/** The button that turns notifications in this browser on and off, or the reason why there is none. */
import { useEffect, useRef, useState } from "preact/hooks";
import { appStorage } from "../../lib/features/push/app/saved.ts";
import {
  type BrowserPush,
  type BrowserPushResult,
  type BrowserPushState,
  createBrowserPush,
} from "../../lib/features/push/app/subscription.ts";
import { browserSupport, pushBrowser } from "./support.ts";

export interface BrowserChoiceProps {
  /** The ids of the record's devices when the page was loaded. */
  devices: readonly string[];
  /** The hash of the open record. */
  hash: string;
  /** The site's VAPID public key. */
  vapid: string;
  /** Receives each result, from which the list of devices follows. */
  onResult: (result: BrowserPushResult) => void;
}

type View = BrowserPushState | "checking" | "unsupported" | "home_screen";

/** Compares the browser's subscription with what the site knows, and offers to change it. */
export function BrowserChoice({ devices, hash, vapid, onResult }: BrowserChoiceProps) {
  const [view, setView] = useState<View>("checking");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const push = useRef<BrowserPush>();

  const apply = (result: BrowserPushResult) => {
    setView(result.state);
    setProblem(result.problem ?? null);
    onResult(result);
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
    const support = browserSupport();
    if (support !== "ok") return setView(support);
    push.current = createBrowserPush(pushBrowser(appStorage(caches)), { hash, vapid });
    push.current.compare(devices).then(apply, () => setView("unsupported"));
  }, []);

  return (
    <>
      <Choice
        view={view}
        busy={busy}
        onTurnOn={() => run(push.current!.turnOn)}
        onTurnOff={() => run(push.current!.turnOff)}
      />
      <p role="alert" class="below-3 push-problem">{problem}</p>
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
            This browser receives the notifications of another record. A browser can receive
            notifications of only one record.
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
            The app has its own sign-in. Use a passkey or a code, because links in emails open in
            the browser.
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
