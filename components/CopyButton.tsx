/** The button that copies a text to the clipboard, and the hook for other controls that do. */
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How long a button says that the text was copied (spec 4.5.4 and 8). */
const CONFIRMATION_MS = 2000;

const STATUS = {
  idle: "",
  copied: "Copied to the clipboard.",
  refused: "The browser blocked the clipboard. The text is selected: press Ctrl+C or ⌘C.",
};

/**
 * Returns a function that copies a text to the clipboard, and its outcome, which is `copied` for two
 * seconds. If the browser blocks the clipboard, it selects the text instead.
 */
export function useCopy(text: string, source: RefObject<HTMLElement>) {
  // A new object for each copy restarts the two seconds.
  const [state, setState] = useState<{ outcome: keyof typeof STATUS }>({ outcome: "idle" });
  useEffect(() => {
    if (state.outcome !== "copied") return;
    const timer = setTimeout(() => setState({ outcome: "idle" }), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState({ outcome: "copied" });
    } catch {
      getSelection()?.selectAllChildren(source.current!);
      setState({ outcome: "refused" });
    }
  };
  return { outcome: state.outcome, copy };
}

/**
 * Copies a text, see {@link useCopy}. For islands; rendered only after hydration.
 *
 * @example
 * ```tsx
 * const code = useRef<HTMLElement>(null);
 * <code ref={code}>deno task start</code>
 * <CopyButton text="deno task start" source={code} />
 * ```
 */
export function CopyButton(
  { text, source, label = "📋 Copy" }: {
    text: string;
    source: RefObject<HTMLElement>;
    label?: string;
  },
) {
  const { outcome, copy } = useCopy(text, source);
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  if (!hydrated) return null;
  return (
    <>
      <button type="button" class="copy rounded accent" onClick={copy}>
        {outcome === "copied" ? "✓ Copied" : label}
      </button>
      <CopyStatus outcome={outcome} />
    </>
  );
}

/** Says whether a text was copied. Success is announced to screen readers only. */
export const CopyStatus = ({ outcome }: { outcome: keyof typeof STATUS }) => (
  <span role="status" class={outcome === "refused" ? "copy-status" : "visually-hidden"}>
    {STATUS[outcome]}
  </span>
);
