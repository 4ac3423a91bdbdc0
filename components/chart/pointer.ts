import { useRef } from "preact/hooks";

/** A finger that has moved less than this has tapped; CSS pixels. */
const TAP = 8;

/**
 * Handlers that tell where a pointer is, and with null that it is gone. A mouse or pen is told
 * wherever it goes. A finger is told where it taps or slides sideways; up and down it scrolls the
 * page, because the stylesheet leaves `pan-y` to the browser, which then cancels the pointer.
 */
export function usePointer(tell: (event: PointerEvent | null) => void) {
  /** Where the finger came down last; no move of it comes without that. */
  const finger = useRef<{ x: number; y: number; sliding: boolean } | null>(null);
  const isTouch = ({ pointerType }: PointerEvent) => pointerType === "touch";
  const follow = (event: PointerEvent) => {
    const start = finger.current;
    if (start === null || !event.isPrimary) return;
    const dx = Math.abs(event.clientX - start.x);
    const dy = Math.abs(event.clientY - start.y);
    start.sliding ||= dx > TAP && dx > dy;
    const tapped = event.type === "pointerup" && Math.max(dx, dy) <= TAP;
    if (start.sliding || tapped) tell(event);
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (isTouch(event) && event.isPrimary) {
        finger.current = { x: event.clientX, y: event.clientY, sliding: false };
      }
    },
    onPointerMove(event: PointerEvent) {
      if (isTouch(event)) follow(event);
      else tell(event);
    },
    onPointerUp: follow,
    onPointerLeave(event: PointerEvent) {
      if (!isTouch(event)) tell(null);
    },
  };
}
