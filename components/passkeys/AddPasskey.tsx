import { AddPasskeyButton, showPage } from "../webauthn/AddPasskeyButton.tsx";
import { RECORD_PASSKEYS } from "./record_passkeys.ts";

/** A button that adds a passkey to the open record, and reloads the page. */
export function AddPasskey({ first, primary }: { first: boolean; primary?: boolean }) {
  return (
    <AddPasskeyButton
      kind={RECORD_PASSKEYS}
      text={first ? "Add a passkey" : "Add another passkey"}
      primary={primary}
      onEnd={(state) =>
        state === "done"
          ? showPage("/my-record?passkey=added#passkeys")
          : location.assign("/my-record?again=1")}
    />
  );
}
