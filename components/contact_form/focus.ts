const FOCUSABLE =
  "a[href], :is(button, input, select, textarea):not(:disabled, [tabindex='-1']), [tabindex='0'], slot";

/** Lets Tab go round inside a dialog; left alone it would pass through the browser's own controls. */
export function keepFocus(event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const dialog = event.currentTarget as HTMLDialogElement;
  const root = dialog.getRootNode() as ShadowRoot;
  const stops = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)].flatMap(stopsOf);
  const [end, start] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  const active = root.activeElement ?? document.activeElement;
  const atEnd = active === end || sameGroup(active, end) ||
    (event.shiftKey && !stops.includes(active as HTMLElement) &&
      active?.matches("[tabindex='-1']"));
  if (!atEnd) return;
  event.preventDefault();
  start?.focus();
}

/** Radio buttons of one name are one stop. */
function sameGroup(a: Element | null, b: Element | undefined): boolean {
  return a instanceof HTMLInputElement && b instanceof HTMLInputElement && a.type === "radio" &&
    b.type === "radio" && a.name === b.name;
}

/** What is shown of an element, or of what stands in a slot. */
function stopsOf(element: HTMLElement): HTMLElement[] {
  const found = element instanceof HTMLSlotElement
    ? element.assignedElements().flatMap((
      one,
    ) => [...one.querySelectorAll<HTMLElement>(`${FOCUSABLE}, iframe`)])
    : [element];
  return found.filter((one) => one.getClientRects().length > 0);
}

/** The element that has the focus, also within shadow roots. */
export function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}
