import type { Shortcuts } from "./use_shortcuts.ts";

/** Describes the keyboard shortcuts, which can be turned off (WCAG 2.1.4). Needs scripts. */
export function ShortcutHint({ shortcuts: { state, toggle } }: { shortcuts: Shortcuts }) {
  if (state === "unknown") return null;
  return (
    <p class="shortcut-hint">
      {state === "on"
        ? (
          <>
            <kbd>j</kbd> <kbd>k</kbd> next and previous row, <kbd>Enter</kbd> details, <kbd>/</kbd>
            {" "}
            search, <kbd>Esc</kbd> close
          </>
        )
        : "Keyboard shortcuts are off."}{" "}
      <button type="button" class="link" onClick={toggle}>
        {state === "on" ? "Turn off" : "Turn on"}
      </button>
    </p>
  );
}
