const FOCUSABLE =
  "a[href], :is(button, input, select, textarea):not(:disabled, [tabindex='-1']), [tabindex='0']";

/**
 * Lets Tab go round inside a dialog; left alone it would pass through the browser's own controls.
 * What stands in a slot is never at an end: the browser leads on from there by itself.
 */
export function keepFocus(event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const dialog = event.currentTarget as HTMLDialogElement;
  const { activeElement } = dialog.getRootNode() as ShadowRoot;
  if (activeElement === null) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)]
    .filter((stop) => stop.getClientRects().length > 0);
  const { DOCUMENT_POSITION_PRECEDING, DOCUMENT_POSITION_FOLLOWING } = Node;
  const onward = event.shiftKey ? DOCUMENT_POSITION_PRECEDING : DOCUMENT_POSITION_FOLLOWING;
  if (stops.some((stop) => activeElement.compareDocumentPosition(stop) & onward)) return;
  event.preventDefault();
  stops.at(event.shiftKey ? -1 : 0)?.focus();
}

/** The element that has the focus, also within shadow roots. */
export function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}
