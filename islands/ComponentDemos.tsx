import { useRef, useState } from "preact/hooks";
import { Modal } from "../components/Modal.tsx";
import { Toast } from "../components/Toast.tsx";

/** The components that need scripts, for the component gallery. */
export default function ComponentDemos() {
  const [open, setOpen] = useState(false);
  const [toast, setToast] = useState<string | null>(null);
  const count = useRef(0);
  return (
    <div class="actions">
      <button type="button" class="button" onClick={() => setOpen(true)}>Open a modal</button>
      <button
        type="button"
        class="button"
        onClick={() => setToast(`Saved (${++count.current})`)}
      >
        Show a toast
      </button>
      <Modal open={open} onClose={() => setOpen(false)} title="A modal">
        <p>Close it with the button, the backdrop or Escape.</p>
        <button type="button" class="button primary" onClick={() => setOpen(false)}>Close</button>
      </Modal>
      <Toast text={toast} onDone={() => setToast(null)} />
    </div>
  );
}
