/** The section “Passkeys” of “My record”, where holders add, rename and remove them. */
import type { PasskeyList as Passkeys } from "../../lib/features/passkeys/mod.ts";
import { FoldedSection } from "../Section.tsx";
import { AddPasskey } from "./AddPasskey.tsx";
import { PasskeyList } from "./PasskeyList.tsx";

const DONE: Record<string, string> = {
  added: "The passkey was added.",
  renamed: "The passkey was renamed.",
  removed: "The passkey was removed.",
};

/**
 * The section of the record page about passkeys.
 */
export function PasskeysSection(
  { list: { passkeys, full, account }, done }: {
    list: Passkeys;
    /** The action that was just completed: the query parameter `passkey`. */
    done: string | null;
  },
) {
  const suggestion = suggest(passkeys);
  return (
    <FoldedSection
      id="passkeys"
      title="Passkeys"
      state={passkeys.length === 0 ? "None" : passkeys.length}
      open={done !== null}
      lead="Sign in with your fingerprint, face or PIN instead of an emailed link."
    >
      {done !== null && DONE[done] !== undefined && <p class="accent" role="status">{DONE[done]}
      </p>}
      {passkeys.length === 0 && (
        <p>
          You have no passkey yet. Your phone, browser or password manager stores it and asks for
          your fingerprint, face or PIN when you use it.
        </p>
      )}
      <PasskeyList passkeys={passkeys} account={account} />
      {suggestion !== null && <p class="passkey-suggestion">{suggestion}</p>}
      {full
        ? <p class="muted">You cannot have more passkeys. Remove one to add another.</p>
        : <AddPasskey first={passkeys.length === 0} />}
    </FoldedSection>
  );
}

/** Returns why the holder should add another passkey, or null. */
function suggest(passkeys: Passkeys["passkeys"]): string | null {
  if (passkeys.length !== 1) return null;
  return passkeys[0].synced
    ? "Add a second passkey in another password manager or on a security key, in case you lose " +
      "access to the first one."
    : "This passkey exists on one device only. Add a second one on another device, so that you " +
      "can still sign in if you lose this device.";
}
