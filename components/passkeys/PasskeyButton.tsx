/** The button that all pages with passkeys share, with its states and errors. */
import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useEffect, useState } from "preact/hooks";
import type { Outcome } from "./ceremonies.ts";

/** The browser's support for passkeys, which is unknown until the scripts run. */
type Support = "unknown" | "yes" | "no";

interface PasskeyButtonProps {
  text: string;
  /** The sentence for browsers without scripts. */
  withoutScripts: string;
  /** Adds a passkey, or uses one. */
  ceremony: () => Promise<Outcome>;
  primary?: boolean;
  /** Continues once the ceremony is done, or if the person has to sign in again. */
  onEnd: (state: "done" | "sign_in_again") => void;
}

/** A button that adds a passkey or uses one, and shows why it failed. */
export function PasskeyButton(
  { text, withoutScripts, ceremony, primary = false, onEnd }: PasskeyButtonProps,
) {
  const [support, setSupport] = useState<Support>("unknown");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setSupport(browserSupportsWebAuthn() ? "yes" : "no"), []);

  const start = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const outcome = await ceremony();
    if (outcome.state === "done" || outcome.state === "sign_in_again") return onEnd(outcome.state);
    setBusy(false);
    if (outcome.state === "failed") setProblem(outcome.text);
  };
  if (support === "no") return <p class="muted">This browser does not support passkeys.</p>;
  return (
    <div class="passkey-add">
      <noscript>
        <p class="muted">{withoutScripts}</p>
      </noscript>
      {support === "yes" && (
        <button
          type="button"
          class={primary ? "button primary" : "button small"}
          aria-busy={busy ? "true" : "false"}
          onClick={start}
        >
          {text}
        </button>
      )}
      <p role="alert" class="passkey-problem">{problem}</p>
    </div>
  );
}

/** The `withoutScripts` of a button that adds a passkey. */
export const ADDING_NEEDS_SCRIPTS = "Adding a passkey requires JavaScript.";

/** Loads a page, even if it is the current one with another fragment. */
export function showPage(url: string): void {
  history.replaceState(null, "", url);
  location.reload();
}
