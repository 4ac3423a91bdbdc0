import { RECORD_PASSKEYS } from "./kinds.ts";
import { ADDING_NEEDS_SCRIPTS, PasskeyButton, showPage } from "./PasskeyButton.tsx";

/** A button that adds a passkey to the open record, and reloads the page. */
export function AddPasskey({ first, primary }: { first: boolean; primary?: boolean }) {
  return (
    <PasskeyButton
      text={first ? "Add a passkey" : "Add another passkey"}
      withoutScripts={ADDING_NEEDS_SCRIPTS}
      load={() => import("./ceremonies.ts")}
      ceremony={({ addPasskey }) => addPasskey(RECORD_PASSKEYS)}
      primary={primary}
      onEnd={(state) =>
        state === "done"
          ? showPage("/my-record?passkey=added#passkeys")
          : location.assign("/my-record?again=1")}
    />
  );
}
