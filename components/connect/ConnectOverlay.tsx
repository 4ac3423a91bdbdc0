import type { ConnectProps } from "../../lib/discovery/connect.ts";
import { Modal } from "../Modal.tsx";
import { ConnectSections } from "./ConnectSections.tsx";
import { connectSections } from "./sections.tsx";

/** The explainer over the page; its first heading is the dialog's title. */
export function ConnectOverlay(
  { open, onClose, ...props }: ConnectProps & { open: boolean; onClose: () => void },
) {
  const [first, ...rest] = connectSections(props);
  return (
    <Modal open={open} onClose={onClose} title={first.heading}>
      {first.body}
      <ConnectSections sections={rest} />
    </Modal>
  );
}
