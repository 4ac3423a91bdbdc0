/** Sign-in with a passkey, by autofill or a button, on the sign-in pages. */
import { useEffect, useRef, useState } from "preact/hooks";
import type * as Ceremonies from "./ceremonies.ts";
import { NOT_LOADED, type Outcome, type PasskeyUse, supportsPasskeys } from "./kinds.ts";

/** How often autofill is offered again after a failure. A faulty authenticator must not loop. */
const MAX_OFFERS = 5;

/**
 * Signs people in with a passkey. It offers passkeys in the suggestions of the page's email field,
 * which needs `autocomplete="username webauthn"`, and with a button. It renders nothing in browsers
 * without passkeys, and without scripts.
 */
export function PasskeySignInButton(
  { kind, next }: {
    kind: PasskeyUse;
    /** The page to open after the sign-in. Default: the one that the site returns. */
    next?: string;
  },
) {
  const [supported, setSupported] = useState<boolean | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const asking = useRef(false);
  const offers = useRef(0);
  const loaded = useRef<typeof Ceremonies>();
  const load = async () => loaded.current ??= await import("./ceremonies.ts");
  const abort = () => loaded.current?.abort();

  const finish = (outcome: Outcome) => {
    if (outcome.state === "done") return location.assign(next ?? outcome.next!);
    if (outcome.state !== "failed") return;
    asking.current = false;
    setBusy(false);
    setProblem(outcome.text);
    offer().catch(reportError);
  };
  const offer = async () => {
    if (offers.current++ >= MAX_OFFERS) return;
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
    const ceremonies = await load().catch(() => null);
    if (ceremonies !== null) finish(await ceremonies.offerPasskeys(kind, () => !asking.current));
  };
  const ask = async () => {
    if (asking.current) return;
    asking.current = true;
    abort();
    setBusy(true);
    setProblem(null);
    finish(await load().then(({ signIn }) => signIn(kind), () => NOT_LOADED));
  };

  useEffect(() => {
    const supported = supportsPasskeys();
    setSupported(supported);
    if (!supported) return;
    offer().catch(reportError);
    // A page that is restored by the back button has lost its request.
    const restore = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      asking.current = false;
      setBusy(false);
      offer().catch(reportError);
    };
    addEventListener("pagehide", abort);
    addEventListener("pageshow", restore);
    return () => {
      removeEventListener("pagehide", abort);
      removeEventListener("pageshow", restore);
      abort();
    };
  }, []);

  if (supported === false) return null;
  if (supported === null) return <div class="passkey-sign-in" />;
  return (
    <div class="passkey-sign-in">
      <button
        type="button"
        class="button wide"
        aria-busy={busy ? "true" : "false"}
        onClick={ask}
      >
        Use a passkey
      </button>
      <p role="alert" class="passkey-problem">{problem}</p>
    </div>
  );
}
