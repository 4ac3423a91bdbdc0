/** The modal dialog of our own pages; the embedded contact form has its own (`contact/useDialog.ts`). */
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface ModalProps {
  open: boolean;
  /** Called after the button, the backdrop or Escape has closed it. */
  onClose: () => void;
  title: string;
  /** The control that is focused when it opens, if not the first one. */
  focus?: RefObject<HTMLElement>;
  children: ComponentChildren;
}

/**
 * A modal dialog for islands. It traps and restores focus and stops the page behind from scrolling;
 * `static/styles/modal.css` fades it. Nothing is rendered until it is first opened.
 *
 * @example
 * ```tsx
 * <Modal open={open} onClose={() => setOpen(false)} title="Sure?">
 *   <p>It cannot be undone.</p>
 * </Modal>
 * ```
 */
export function Modal({ open, onClose, title, focus, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const wasOpened = useRef(false);
  const pressedOutside = useRef(false);
  wasOpened.current ||= open;

  useEffect(() => {
    if (!open) return dialog.current?.close();
    show(dialog.current!);
    focus?.current?.focus();
  }, [open]);

  if (!wasOpened.current) return null;
  return (
    <dialog
      ref={dialog}
      class="modal"
      aria-label={title}
      onClose={onClose}
      onKeyDown={keepFocus}
      onPointerDown={(event) => pressedOutside.current = isOutside(event)}
      onClick={(event) => {
        // A text selection may end outside the dialog, so only clicks that also began there close it.
        if (pressedOutside.current && isOutside(event)) event.currentTarget.close();
      }}
    >
      <div class="modal-body">
        <button
          type="button"
          class="modal-close"
          aria-label="Close"
          onClick={() => dialog.current!.close()}
        >
          <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
            <path d="M5 5l14 14M19 5L5 19" stroke="currentColor" stroke-width="1.8" />
          </svg>
        </button>
        <h2>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}

function show(dialog: HTMLDialogElement): void {
  const root = document.documentElement;
  // Keeps the width of the scrollbar, which disappears while the dialog is open.
  root.style.setProperty("--scrollbar", `${innerWidth - root.clientWidth}px`);
  dialog.showModal();
  dialog.scrollTop = 0;
}

const FOCUSABLE =
  ":is(a[href], :is(button, input, select, textarea):not(:disabled), [tabindex='0']):not([tabindex='-1'])";

/** Keeps Tab inside the dialog; by default it would continue to the browser's own controls. */
function keepFocus(event: KeyboardEvent): void {
  if (event.key !== "Tab") return;
  const dialog = event.currentTarget as HTMLDialogElement;
  const stops = [...dialog.querySelectorAll<HTMLElement>(FOCUSABLE)]
    .filter((element) => element.getClientRects().length > 0);
  const [end, start] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== end) return;
  event.preventDefault();
  start?.focus();
}

function isOutside({ target, currentTarget, clientX, clientY }: MouseEvent): boolean {
  if (target !== currentTarget) return false;
  const { left, right, top, bottom } = (target as HTMLElement).getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
