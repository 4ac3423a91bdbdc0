import { render } from "preact";
import { useEffect } from "preact/hooks";
import { CopyButton } from "./CopyButton.tsx";

/**
 * Adds a copy button to every code block of the page's rendered Markdown. Pages without scripts have no
 * such buttons.
 */
export function CopySamples() {
  useEffect(() => {
    const slots = [...document.querySelectorAll<HTMLElement>(".code-sample")].map((sample) => {
      const code = sample.querySelector("code")!;
      const slot = document.createElement("div");
      slot.className = "copy-slot";
      sample.append(slot);
      const text = code.textContent.replace(/\n$/, "");
      render(<CopyButton text={text} source={{ current: code }} label="Copy" />, slot);
      return slot;
    });
    return () => {
      for (const slot of slots) {
        render(null, slot);
        slot.remove();
      }
    };
  }, []);
  return null;
}
