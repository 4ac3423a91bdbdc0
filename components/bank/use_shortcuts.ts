/** The keys `/`, `j`, `k` and Escape on the page of a bank account. */
import type { AccountState } from "./use_account.ts";
import { type Shortcuts, useKeys } from "../use_keys.ts";

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
