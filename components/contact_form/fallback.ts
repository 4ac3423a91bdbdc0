import { CONFIG } from "../../lib/contact/config.ts";
import { type Draft, emptyDraft } from "./draft.ts";

/** A form that stood in the place of the module, for pages without scripts. */
export interface Fallback {
  draft: Draft;
  /** When somebody began to fill it in, as far as is known; null where nobody did. */
  openedAt: number | null;
  /** Puts the focus where it was in it. */
  focusIn: (root: ShadowRoot) => void;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Reads what is typed already into the fields that the element contains, by their names. */
export function readFallback(element: HTMLElement): Fallback {
  const draft = emptyDraft();
  let typed = false;
  for (const control of element.querySelectorAll<Control>("input, select, textarea")) {
    const name = control.name === CONFIG.HONEYPOT ? "trap" : control.name;
    if (!(name in draft)) continue;
    if (control instanceof HTMLInputElement && control.type === "radio" && !control.checked) {
      continue;
    }
    draft[name as keyof Draft] = control.value;
    typed ||= !(control instanceof HTMLSelectElement) && control.value !== "";
  }
  const active = document.activeElement as Control | null;
  const name = active && element.contains(active) ? active.name : undefined;
  const selection = active && "selectionStart" in active ? active.selectionStart : null;
  return {
    draft,
    openedAt: typed ? 0 : null, // since the page itself
    focusIn(root) {
      if (!name) return;
      const control = root.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`);
      control?.focus({ preventScroll: true });
      try {
        if (selection !== null) control?.setSelectionRange(selection, selection);
      } catch {
        // Email fields have a caret that no script may move.
      }
    },
  };
}
