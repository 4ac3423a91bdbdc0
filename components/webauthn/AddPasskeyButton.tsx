import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useEffect, useState } from "preact/hooks";
import { addPasskey, type Outcome, type PasskeyKind } from "./ceremonies.ts";

/** The browser's support for passkeys, which is unknown until the scripts run. */
type Support = "unknown" | "yes" | "no";

interface AddPasskeyProps {
  kind: PasskeyKind;
  text: string;
  primary?: boolean;
  /** Continues once the passkey was added, or if the person has to sign in again. */
  onEnd: (state: "done" | "sign_in_again") => void;
}

/** A button that adds a passkey. */
export function AddPasskeyButton({ kind, text, primary = false, onEnd }: AddPasskeyProps) {
  const [support, setSupport] = useState<Support>("unknown");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setSupport(browserSupportsWebAuthn() ? "yes" : "no"), []);

  const add = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const outcome: Outcome = await addPasskey(kind);
    if (outcome.state === "done" || outcome.state === "sign_in_again") return onEnd(outcome.state);
    setBusy(false);
    if (outcome.state === "failed") setProblem(outcome.text);
  };
  if (support === "no") return <p class="muted">This browser does not support passkeys.</p>;
  return (
    <div class="passkey-add">
      <noscript>
        <p class="muted">Adding a passkey requires JavaScript.</p>
      </noscript>
      {support === "yes" && (
        <button
          type="button"
          class={primary ? "button primary" : "button small"}
          aria-busy={busy ? "true" : "false"}
          onClick={add}
        >
          {text}
        </button>
      )}
      <p role="alert" class="passkey-problem">{problem}</p>
    </div>
  );
}

/** Loads a page, even if it is the current one with another fragment. */
export function showPage(url: string): void {
  history.replaceState(null, "", url);
  location.reload();
}
