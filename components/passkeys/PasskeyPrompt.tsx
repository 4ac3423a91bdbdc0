/** The interactive part of the page that asks an operator for a passkey. */
import { useRef, useState } from "preact/hooks";
import { ADDING_NEEDS_SCRIPTS, PasskeyButton } from "./PasskeyButton.tsx";

interface PasskeyPromptProps {
  /** Uses a passkey, adds one, or adds one with the code of another administrator. */
  way: "use" | "add" | "code";
  text: string;
  /** The page that leads back if the request is a download, which leaves this page open. */
  downloadFrom?: string;
  /** The sign-in page that leads back here. */
  again: string;
}

/** Uses or adds a passkey, and then sends the request of the page again. */
export function PasskeyPrompt({ way, text, downloadFrom, again }: PasskeyPromptProps) {
  const code = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState<"file" | "download" | null>(null);

  const end = (state: "done" | "sign_in_again") => {
    if (state === "sign_in_again") return location.assign(again);
    if (!sendAgain()) return setNote("file");
    if (downloadFrom !== undefined) setNote("download");
  };
  if (note === "file") {
    return <p role="status">Choose the file again below, and continue.</p>;
  }
  if (note === "download") {
    return (
      <p role="status">
        The download has started. <a href={downloadFrom}>Go back</a>
      </p>
    );
  }
  return (
    <>
      {way === "code" && (
        <div class="field">
          <label for="passkey-code">Code</label>
          <input
            id="passkey-code"
            ref={code}
            inputMode="numeric"
            autocomplete="off"
            maxLength={20}
          />
        </div>
      )}
      <PasskeyButton
        text={text}
        withoutScripts={way === "use"
          ? "Using a passkey requires JavaScript."
          : ADDING_NEEDS_SCRIPTS}
        load={() => import("./console_passkeys.ts")}
        ceremony={({ usePasskey, addConsolePasskey }) =>
          way === "use" ? usePasskey() : addConsolePasskey(code.current?.value)}
        primary
        onEnd={end}
      />
    </>
  );
}

/** Sends the request of the page again. Returns false if a file has to be chosen first. */
function sendAgain(): boolean {
  const form = document.querySelector<HTMLFormElement>("form[data-resume]");
  if (form === null) location.reload();
  else if (form.querySelector("input[type=file]") !== null) return false;
  else HTMLFormElement.prototype.submit.call(form); // a field may have the name `submit`
  return true;
}
