import { addPasskey } from "./ceremonies.ts";
import { ADDING_NEEDS_SCRIPTS, PasskeyButton, showPage } from "./PasskeyButton.tsx";
import { RECORD_PASSKEYS } from "./record_passkeys.ts";

/** A button that adds a passkey to the open record, and reloads the page. */
export function AddPasskey({ first, primary }: { first: boolean; primary?: boolean }) {
  return (
    <PasskeyButton
      text={first ? "Add a passkey" : "Add another passkey"}
      withoutScripts={ADDING_NEEDS_SCRIPTS}
      ceremony={() => addPasskey(RECORD_PASSKEYS)}
      primary={primary}
      onEnd={(state) =>
        state === "done"
          ? showPage("/my-record?passkey=added#passkeys")
          : location.assign("/my-record?again=1")}
    />
  );
}
