import { useEffect } from "preact/hooks";

const SHOWN_MS = 4000;

/** A short message that disappears by itself and is announced once. For islands. */
export function Toast({ text, onDone }: { text: string | null; onDone: () => void }) {
  useEffect(() => {
    if (text === null) return;
    const timer = setTimeout(onDone, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div role="status">
      {text !== null && <div class="toast framed round raised ink">{text}</div>}
    </div>
  );
}
