import type { ConnectSection } from "./sections.tsx";

/** Sections of the explainer, one below the other. */
export function ConnectSections({ sections }: { sections: ConnectSection[] }) {
  return (
    <>
      {sections.map(({ heading, body }) => (
        <section class="connect-section" key={heading}>
          <h2>{heading}</h2>
          {body}
        </section>
      ))}
    </>
  );
}
