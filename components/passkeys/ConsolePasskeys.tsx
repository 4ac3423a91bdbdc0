/** The section “Your passkeys” of the console's team page. */
import type { OperatorPasskeyList } from "../../lib/features/passkeys/mod.ts";
import { AddConsolePasskey } from "./AddConsolePasskey.tsx";
import { ConsolePasskeyList } from "./ConsolePasskeyList.tsx";

const DONE: Record<string, string> = {
  added: "The passkey was added.",
  renamed: "The passkey was renamed.",
  removed: "The passkey was removed.",
};

/** The passkeys of the operator who is signed in, to add, rename and remove them. */
export function ConsolePasskeys({ list: { passkeys, full, account }, done }: {
  list: OperatorPasskeyList;
  /** The action that was just completed: the query parameter `passkey`. */
  done: string | null;
}) {
  return (
    <>
      {done !== null && DONE[done] !== undefined && <p class="accent" role="status">{DONE[done]}
      </p>}
      <p class="muted">
        {passkeys.length === 0
          ? "You have none, so whoever reads your mailbox can open this console. With a passkey, " +
            "documents, identity checks, exports and other sensitive pages open only after your " +
            "fingerprint, face or PIN."
          : "Sensitive pages ask for one of them. Every change is emailed to you and to all full " +
            "administrators."}
      </p>
      {passkeys.length > 0 && (
        <p class="passkey-suggestion">
          This protects this console only. If you also use the other organisation’s console, add a
          passkey there too: until then, an emailed link alone opens it.
        </p>
      )}
      {account !== null && <ConsolePasskeyList passkeys={passkeys} account={account} />}
      {passkeys.length === 1 && (
        <p class="passkey-suggestion">
          Add a second passkey on another device or in another password manager, in case you lose
          this one.
        </p>
      )}
      {full
        ? <p class="muted">You cannot have more passkeys. Remove one to add another.</p>
        : <AddConsolePasskey first={passkeys.length === 0} />}
    </>
  );
}
