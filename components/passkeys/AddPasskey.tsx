import { browserSupportsWebAuthn } from "@simplewebauthn/browser";
import { useEffect, useState } from "preact/hooks";
import { addPasskey } from "./ceremonies.ts";

/** The browser's support for passkeys, which is unknown until the scripts run. */
type Support = "unknown" | "yes" | "no";

/** A button that adds a passkey to the open record, and reloads the page. */
export function AddPasskey({ first, primary = false }: { first: boolean; primary?: boolean }) {
  const [support, setSupport] = useState<Support>("unknown");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setSupport(browserSupportsWebAuthn() ? "yes" : "no"), []);

  const add = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const outcome = await addPasskey();
    if (outcome.state === "done") return show("/my-record?passkey=added#passkeys");
    if (outcome.state === "sign_in_again") return location.assign("/my-record?again=1");
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
          {first ? "Add a passkey" : "Add another passkey"}
        </button>
      )}
      <p role="alert" class="passkey-problem">{problem}</p>
    </div>
  );
}

/** Loads a page, even if it is the current one with another fragment. */
function show(url: string): void {
  history.replaceState(null, "", url);
  location.reload();
}
