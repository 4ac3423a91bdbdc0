import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { AccountState } from "./use_account.ts";

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

/** Keyboard shortcuts of an account's page. They do not apply while typing in a field. */
export function useShortcuts(page: AccountState): Shortcuts {
  return useKeys((event, isOn) => {
    const root = page.root.current;
    if (root === null) return;
    if (event.key === "Escape") return escape(event, page, root);
    if (!isOn) return;
    if (event.key === "/") {
      event.preventDefault();
      const search = root.querySelector<HTMLInputElement>("input[name=search]");
      search?.focus();
      search?.select();
    } else if (event.key === "j" || event.key === "k") {
      moveRow(page, root, event.key === "j" ? 1 : -1);
    }
  }, leaveSearch);
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, select, textarea"));

/** Leaves an empty search field with Escape, which clears it otherwise. */
function leaveSearch({ key, target }: KeyboardEvent): void {
  const field = target as HTMLInputElement;
  if (key === "Escape" && field.type === "search" && field.value === "") field.blur();
}

/** Closes the account switcher or the details. It always works, as in any dialog. */
function escape(event: KeyboardEvent, page: AccountState, root: HTMLElement): void {
  const switcher = root.querySelector<HTMLDetailsElement>(".account-switcher[open]");
  if (switcher !== null) {
    event.preventDefault();
    switcher.open = false;
    switcher.querySelector("summary")?.focus();
  } else if (page.shown !== "") {
    event.preventDefault();
    page.onClose();
  }
}

/** Focuses the link of the next or previous row; if details are open, they change too. */
function moveRow(page: AccountState, root: HTMLElement, step: 1 | -1): void {
  const links = [...root.querySelectorAll<HTMLElement>(".row-link")];
  const focused = links.indexOf(document.activeElement as HTMLElement);
  const at = focused === -1
    ? links.findIndex(({ dataset }) => dataset.transaction === page.shown)
    : focused;
  const next = links[at === -1 ? 0 : at + step];
  if (next === undefined) return;
  next.focus();
  page.follow(next.dataset.transaction!);
}
