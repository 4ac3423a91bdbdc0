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
  const [outcome, setOutcome] = useState<keyof typeof STATUS | null>(null);
  useEffect(() => setOutcome("idle"), []);
  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome("idle"), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch {
      getSelection()?.selectAllChildren(source.current!);
      setOutcome("refused");
    }
  };
  if (outcome === null) return null;
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
