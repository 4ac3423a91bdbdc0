import { useRef } from "preact/hooks";

/** A finger that moved less than this many CSS pixels has tapped. */
const TAP_DISTANCE = 8;

/**
 * Returns handlers that report where the pointer is, and null once it has left. A mouse or pen
 * reports every move. A finger reports taps and horizontal movement; vertical movement scrolls the
 * page: the stylesheet leaves `pan-y` to the browser, which then cancels the pointer.
 */
export function usePointer(report: (event: PointerEvent | null) => void) {
  /** Where the finger touched down last. */
  const touch = useRef<{ x: number; y: number; sliding: boolean } | null>(null);
  const isTouch = ({ pointerType }: PointerEvent) => pointerType === "touch";
  const reportTouch = (event: PointerEvent) => {
    const start = touch.current;
    if (start === null || !event.isPrimary) return;
    const dx = Math.abs(event.clientX - start.x);
    const dy = Math.abs(event.clientY - start.y);
    start.sliding ||= dx > TAP_DISTANCE && dx > dy;
    const tapped = event.type === "pointerup" && Math.max(dx, dy) <= TAP_DISTANCE;
    if (start.sliding || tapped) report(event);
  };
  return {
    onPointerDown(event: PointerEvent) {
      if (isTouch(event) && event.isPrimary) {
        touch.current = { x: event.clientX, y: event.clientY, sliding: false };
      }
    },
    onPointerMove(event: PointerEvent) {
      if (isTouch(event)) reportTouch(event);
      else report(event);
    },
    onPointerUp: reportTouch,
    onPointerLeave(event: PointerEvent) {
      if (!isTouch(event)) report(null);
    },
  };
}

/**
 * Returns the index that a key moves to: arrows move by one point, Home and End to the ends, Escape
 * to none (null). Returns undefined for a key that the chart doesn't handle.
 */
export function nextIndex(
  key: string,
  current: number | null,
  length: number,
): number | null | undefined {
  const last = length - 1;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, (current ?? -1) + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, (current ?? length) - 1);
    case "Home":
      return 0;
    case "End":
      return last;
    case "Escape":
      return current === null ? undefined : null;
  }
}
