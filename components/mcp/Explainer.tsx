import type { ConnectProps } from "../../lib/features/mcp/connect.ts";
import { Modal } from "../Modal.tsx";
import { CONNECT_ID, type ExplainerSection, explainerSections } from "./sections.tsx";

/** The explainer as a dialog, with its first heading as the title. */
export function ExplainerDialog(
  { open, onClose, ...props }: ConnectProps & { open: boolean; onClose: () => void },
) {
  const [first, ...rest] = explainerSections(props);
  return (
    <Modal open={open} onClose={onClose} title={first.heading}>
      {first.body}
      <p>
        <a href={`#${CONNECT_ID}`} onClick={jump}>Connect your agent</a>
      </p>
      <Sections sections={rest} />
    </Modal>
  );
}

/** Shows the texts to copy, without a change of the page's address. */
function jump(event: MouseEvent) {
  event.preventDefault();
  const heading = document.getElementById(CONNECT_ID)!;
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

export function Sections({ sections }: { sections: ExplainerSection[] }) {
  return (
    <>
      {sections.map(({ heading, id, body }) => (
        <section class="connect-section ruled" key={heading}>
          <h2 id={id} tabindex={id === undefined ? undefined : -1}>{heading}</h2>
          {body}
        </section>
      ))}
    </>
  );
}
