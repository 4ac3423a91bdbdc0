import { useEffect, useRef, useState } from "preact/hooks";
import { CopyStatus, useCopy } from "../CopyButton.tsx";

/**
 * A new link with the ways to pass it on: to copy it, to send it with another app of the device, if the browser can,
 * and to print it. Without scripts, it is a text to select.
 */
export function NewLink({ url, title }: { url: string; title: string }) {
  const source = useRef<HTMLElement>(null);
  const { outcome, copy } = useCopy(url, source);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const canSend = ready && typeof navigator.share === "function";
  // The holder may close the device's list of apps, which is not an error.
  const send = () => navigator.share({ title, url }).catch(() => {});
  return (
    <>
      <p class="pad-3-4 framed rounded anywhere">
        <code ref={source}>{url}</code>
      </p>
      {ready && (
        <p class="actions">
          <button type="button" class="button primary" onClick={copy}>
            {outcome === "copied" ? "✓ Copied" : "Copy the link"}
          </button>
          <CopyStatus outcome={outcome} />
          {canSend && <button type="button" class="button" onClick={send}>Send it…</button>}
          <button type="button" class="button" onClick={() => print()}>Print</button>
        </p>
      )}
    </>
  );
}
