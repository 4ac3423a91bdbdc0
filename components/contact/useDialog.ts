/** The hook for the dialogs of the embedded contact form, which also work inside a shadow root. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/**
 * Shows a native dialog in the browser's top layer, above everything on the page. It traps and
 * restores the focus, and the page behind it does not scroll. Escape, a click on the backdrop and
 * other gestures do not close it but call `onClose`, which decides.
 */
export function useDialog(
  { shown, hasBackdrop, onClose }: {
    shown: boolean;
    /** True if the page is visible behind it, so that a click there calls `onClose`. */
    hasBackdrop: boolean;
    onClose: () => void;
  },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useRef(shown);
  const pressedOutside = useRef(false);
  isShown.current = shown;
  // Scrollable content is rendered once the dialog has its final size.
  const [isReady, setReady] = useState(false);

  useLayoutEffect(() => {
    if (!shown) return;
    const before = focused();
    const unlock = lockScroll();
    dialog.current!.showModal();
    dialog.current!.scrollTop = 0;
    setReady(true);
    return () => {
      isShown.current = false;
      setReady(false);
      dialog.current?.close();
      unlock();
      before?.focus({ preventScroll: true });
    };
  }, [shown]);

  const events = {
    // Otherwise, a second Escape would close it despite `preventDefault`.
    closedby: "none" as const,
    onCancel(event: Event) {
      event.preventDefault();
      onClose();
    },
    onClose() {
      // The browser closed it without a `cancel` event, so show it again and let `onClose` decide.
      if (!isShown.current || dialog.current!.open) return;
      dialog.current!.showModal();
      onClose();
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.isComposing) return keepFocus(event);
      event.preventDefault();
      event.stopPropagation();
      onClose();
    },
    onPointerDown(event: PointerEvent) {
      pressedOutside.current = isOutside(event);
    },
    onClick(event: MouseEvent) {
      // A text selection may start inside the dialog and end outside.
      if (hasBackdrop && pressedOutside.current && isOutside(event)) onClose();
    },
  };
  return { dialog, events, isReady };
}

/** Returns whether an event is on the dialog itself, and not on its content or scrollbar. */
function isOutside({ target, currentTarget, clientX }: MouseEvent): boolean {
  return target === currentTarget && clientX < (currentTarget as HTMLElement).clientWidth;
}

const FOCUSABLE =
  "a[href], :is(button, input, select, textarea):not(:disabled, [tabindex='-1']), [tabindex='0']";

/**
 * Makes Tab cycle inside a dialog. By default, it would also reach the browser's own controls.
 * Slotted content is never first or last, so the browser can handle it.
 */
function keepFocus(event: KeyboardEvent): void {
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

/** Returns the focused element, including inside shadow roots. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}

/**
 * Prevents the page behind the dialog from scrolling, with a style sheet rather than attributes, so
 * that the page's markup does not change. Returns a function that removes the style sheet.
 */
function lockScroll(): () => void {
  const hasBar = innerWidth > document.documentElement.clientWidth;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `:root:root:root { overflow: hidden !important; ${
      hasBar ? "scrollbar-gutter: stable !important;" : ""
    } }`,
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  };
}
