/** Interprets mouse, touch and keys on a chart. */
import { useRef } from "preact/hooks";

/** A touch that moves at most this many CSS pixels is a tap. */
const TAP_DISTANCE = 8;

/**
 * Returns handlers that report pointer events, and null when the pointer leaves. For a mouse or pen,
 * they report every move. For touch, they report taps and horizontal movement; vertical movement
 * scrolls the page, because the stylesheet sets `touch-action: pan-y`.
 */
export function usePointer(report: (event: PointerEvent | null) => void) {
  /** Where the last touch began. */
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
 * Returns the index that a key moves to. Arrow keys move by one point, Home and End to the ends, and
 * Escape returns null, which means no point. Returns undefined for a key that the chart does not handle.
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
