import type { ComponentChildren } from "preact";
import type { Shortcuts } from "./use_keys.ts";

/** Describes the keyboard shortcuts of a page, which can be turned off (WCAG 2.1.4). Needs scripts. */
export function ShortcutHint(
  { shortcuts: { state, toggle }, children }: {
    shortcuts: Shortcuts;
    /** The keys and what they do. */
    children: ComponentChildren;
  },
) {
  if (state === "unknown") return null;
  return (
    <p class="shortcut-hint">
      {state === "on" ? children : "Keyboard shortcuts are off."}{" "}
      <button type="button" class="link" onClick={toggle}>
        {state === "on" ? "Turn off" : "Turn on"}
      </button>
    </p>
  );
}
