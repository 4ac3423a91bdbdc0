import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { focused, keepFocus } from "./focus.ts";
import { lockScroll } from "./scroll_lock.ts";

/**
 * Shows a native dialog in the browser's top layer, where no style of the page is above it. It holds
 * the focus and gives it back, and the page behind does not scroll. Escape, the backdrop and whatever
 * else a browser closes dialogs by only ask for it: `onClose` decides.
 */
export function useDialog(
  { shown, hasBackdrop, onClose }: {
    shown: boolean;
    /** Whether the page is seen behind it, and a click there asks to close. */
    hasBackdrop: boolean;
    onClose: () => void;
  },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isShown = useRef(shown);
  const pressedOutside = useRef(false);
  isShown.current = shown;
  // What scrolls inside is rendered once there is room to scroll in.
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
    // Or a second Escape would close it, whatever the first one was told.
    closedby: "none" as const,
    onCancel(event: Event) {
      event.preventDefault();
      onClose();
    },
    onClose() {
      // A browser closed it without asking: it comes back, and is asked for.
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
      // A text that is selected beyond the edge ends outside, but did not begin there.
      if (hasBackdrop && pressedOutside.current && isOutside(event)) onClose();
    },
  };
  return { dialog, events, isReady };
}

/** Beside what the dialog shows, and not on its scrollbar. */
function isOutside({ target, currentTarget, clientX }: MouseEvent): boolean {
  return target === currentTarget && clientX < (currentTarget as HTMLElement).clientWidth;
}
