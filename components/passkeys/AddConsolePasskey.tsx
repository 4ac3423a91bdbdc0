import { ADDING_NEEDS_SCRIPTS, PasskeyButton, showPage } from "./PasskeyButton.tsx";

/** A button that adds a passkey of the operator, and reloads the page. */
export const AddConsolePasskey = ({ first }: { first: boolean }) => (
  <PasskeyButton
    text={first ? "Add a passkey" : "Add another passkey"}
    withoutScripts={ADDING_NEEDS_SCRIPTS}
    load={() => import("./console_passkeys.ts")}
    ceremony={({ addConsolePasskey }) => addConsolePasskey()}
    onEnd={(state) =>
      state === "done"
        ? showPage("/console/team?passkey=added#passkeys")
        : location.assign("/auth?again=1&next=/console/team")}
  />
);
