/** The button that all pages with passkeys share, with its states and errors. */
import { useEffect, useState } from "preact/hooks";
import { NOT_LOADED, type Outcome, supportsPasskeys } from "./kinds.ts";

/** The browser's support for passkeys, which is unknown until the scripts run. */
type Support = "unknown" | "yes" | "no";

interface PasskeyButtonProps<Ceremonies> {
  text: string;
  /** The sentence for browsers without scripts. */
  withoutScripts: string;
  /** Loads the ceremonies. */
  load: () => Promise<Ceremonies>;
  /** Adds a passkey, or uses one. */
  ceremony: (ceremonies: Ceremonies) => Promise<Outcome>;
  primary?: boolean;
  /** Continues once the ceremony is done, or if the person has to sign in again. */
  onEnd: (state: "done" | "sign_in_again") => void;
}

/** A button that adds a passkey or uses one, and shows why it failed. */
export function PasskeyButton<Ceremonies>(
  { text, withoutScripts, load, ceremony, primary = false, onEnd }: PasskeyButtonProps<Ceremonies>,
) {
  const [support, setSupport] = useState<Support>("unknown");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setSupport(supportsPasskeys() ? "yes" : "no"), []);

  // Safari asks for a passkey only shortly after a click, so it should not wait for the scripts.
  const prepare = () => void load().catch(() => {});
  const start = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const outcome = await load().then(ceremony, () => NOT_LOADED);
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
          onPointerEnter={prepare}
          onFocus={prepare}
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
