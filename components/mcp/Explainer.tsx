import type { ConnectProps } from "../../lib/features/mcp/connect.ts";
import { Modal } from "../Modal.tsx";
import { type ExplainerSection, explainerSections } from "./sections.tsx";

/** The explainer as a dialog, with its first heading as the title. */
export function ExplainerDialog(
  { open, onClose, ...props }: ConnectProps & { open: boolean; onClose: () => void },
) {
  const [first, ...rest] = explainerSections(props);
  return (
    <Modal open={open} onClose={onClose} title={first.heading}>
      {first.body}
      <Sections sections={rest} />
    </Modal>
  );
}

export function Sections({ sections }: { sections: ExplainerSection[] }) {
  return (
    <>
      {sections.map(({ heading, body }) => (
        <section class="connect-section ruled" key={heading}>
          <h2>{heading}</h2>
          {body}
        </section>
      ))}
    </>
  );
}
