import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Spec 4.5.4 and section 8. */
const CONFIRMATION_MS = 2000;

const STATUS = {
  idle: "",
  copied: "Copied to the clipboard.",
  refused: "The clipboard is closed to this page. The text is selected: copy it with Ctrl+C or ⌘C.",
};

/**
 * Writes a text to the clipboard and says so for two seconds. Where the browser refuses, the text
 * is selected instead, to be copied by hand. It is for islands, and stays away until it works.
 *
 * @example
 * ```tsx
 * const code = useRef<HTMLElement>(null);
 * <code ref={code}>deno task start</code>
 * <CopyButton text="deno task start" source={code} />
 * ```
 */
export function CopyButton(
  { text, source }: {
    text: string;
    /** Where the text stands on the page. */
    source: RefObject<HTMLElement>;
  },
) {
  // An object of its own for each copy: the two seconds begin anew with it.
  const [state, setState] = useState<{ outcome: keyof typeof STATUS } | null>(null);
  useEffect(() => setState({ outcome: "idle" }), []);
  useEffect(() => {
    if (state?.outcome !== "copied") return;
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
  if (state === null) return null;
  const { outcome } = state;
  return (
    <>
      <button type="button" class="copy" onClick={copy}>
        {outcome === "copied" ? "✓ Copied" : "📋 Copy"}
      </button>
      <span role="status" class={outcome === "refused" ? "copy-status" : "visually-hidden"}>
        {STATUS[outcome]}
      </span>
    </>
  );
}
