import { useRef, useState } from "preact/hooks";
import { Modal } from "../components/Modal.tsx";
import { Toast } from "../components/Toast.tsx";

/** The components that need a script, on the page that shows them all. */
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
        onClick={() => setToast(`Saved, for the ${++count.current}. time`)}
      >
        Show a toast
      </button>
      <Modal open={open} onClose={() => setOpen(false)} title="A modal">
        <p>It closes by the cross, the backdrop and Escape, and gives the focus back.</p>
        <button type="button" class="button primary" onClick={() => setOpen(false)}>Good</button>
      </Modal>
      <Toast text={toast} onDone={() => setToast(null)} />
    </div>
  );
}
