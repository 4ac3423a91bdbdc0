/** A finger that has moved less than this has tapped; CSS pixels. */
const TAP = 8;

/** What the pointer asks for; positions as in the event. */
export interface PointerWishes {
  show(event: PointerEvent): void;
  hide(): void;
}

/**
 * Turns pointers into wishes. A mouse or pen shows while it is over `target`. A finger shows where it
 * taps or slides sideways, and a tap elsewhere hides; up and down it scrolls the page, because the
 * stylesheet leaves `pan-y` to the browser, which then cancels the pointer.
 *
 * @returns stops listening
 */
export function watchPointer(target: HTMLElement | SVGElement, wishes: PointerWishes): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let start: PointerEvent | null = null;
  let sliding = false;
  let elsewhere: AbortController | null = null;

  const on = (name: string, listener: (event: PointerEvent) => void) =>
    target.addEventListener(name, listener as EventListener, { signal });
  const pin = () => {
    if (elsewhere !== null) return;
    elsewhere = new AbortController();
    document.addEventListener("pointerdown", (event) => {
      if (event.composedPath().includes(target)) return;
      release();
      wishes.hide();
    }, { capture: true, signal: AbortSignal.any([signal, elsewhere.signal]) });
  };
  const release = () => {
    elsewhere?.abort();
    elsewhere = null;
  };

  on("pointermove", (event) => {
    if (event.pointerType !== "touch") return wishes.show(event);
    if (start === null || event.pointerId !== start.pointerId) return;
    const dx = Math.abs(event.clientX - start.clientX);
    const dy = Math.abs(event.clientY - start.clientY);
    sliding ||= dx > TAP && dx > dy;
    if (sliding) wishes.show(event);
  });
  on("pointerleave", (event) => event.pointerType !== "touch" && wishes.hide());
  on("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    if (event.isPrimary) start = event;
    sliding = false;
  });
  on("pointerup", (event) => {
    if (event.pointerType !== "touch" || event.pointerId !== start?.pointerId) return;
    const moved = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
    if (!sliding && moved <= TAP) wishes.show(event);
    if (sliding || moved <= TAP) pin();
    start = null;
  });
  on("pointercancel", () => {
    start = null;
  });
  return () => stop.abort();
}
