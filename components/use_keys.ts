/** The hook for keyboard shortcuts in the consoles, which each operator can switch off. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

export interface Shortcuts {
  /** `unknown` on the server and without scripts. */
  state: "on" | "off" | "unknown";
  toggle: () => void;
}

const STORED = "console-shortcuts";

/**
 * The operator's choice of keyboard shortcuts, in this browser.
 *
 * @param onKey called for keys while no field has the focus and no dialog is open
 * @param whileTyping called for keys in a field
 */
export function useKeys(
  onKey: (event: KeyboardEvent, isOn: boolean) => void,
  whileTyping: (event: KeyboardEvent) => void = () => {},
): Shortcuts {
  const [state, setState] = useState<Shortcuts["state"]>("unknown");
  useEffect(() => setState(localStorage.getItem(STORED) === "off" ? "off" : "on"), []);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return whileTyping(event);
      if (document.querySelector("dialog[open]") === null) onKey(event, state === "on");
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  });
  return {
    state,
    toggle() {
      const next = state === "on" ? "off" : "on";
      localStorage.setItem(STORED, next);
      setState(next);
    },
  };
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, select, textarea"));
