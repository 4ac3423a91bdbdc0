import { useEffect } from "preact/hooks";
import type { PasskeyAccount } from "../../lib/features/passkeys/mod.ts";
import { supportsPasskeys } from "./kinds.ts";

/**
 * Tells password managers which passkeys an account still has, and its name, so that they forget
 * removed ones. Browsers without these signals ignore it. It renders nothing.
 */
export function ReportPasskeys({ account }: { account: PasskeyAccount }) {
  // The page is reloaded after every change, so this reports each of them.
  useEffect(() => {
    report(account).catch(reportError);
  }, []);
  return null;
}

async function report({ rpId, userId, name, credentialIds }: PasskeyAccount): Promise<void> {
  if (!supportsPasskeys()) return;
  const accepted = { rpId, userId, allAcceptedCredentialIds: credentialIds };
  const user = { rpId, userId, name, displayName: name };
  await PublicKeyCredential.signalAllAcceptedCredentials?.(accepted).catch(() => {});
  await PublicKeyCredential.signalCurrentUserDetails?.(user).catch(() => {});
}
