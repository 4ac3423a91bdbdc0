/** The sections of the record page, which are either always open or folded. */
import type { ComponentChildren } from "preact";

interface SectionProps {
  /** The target of links such as `/my-record#passkeys`. */
  id: string;
  title: string;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/**
 * A section of the record page: its heading, explanation and content.
 *
 * @example
 * ```tsx
 * <Section id="documents" title="Documents" lead="Issued to you.">
 *   …
 * </Section>
 * ```
 */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section
      class="record-section stack gap-4 ruled block-print"
      id={id}
      aria-labelledby={`${id}-title`}
    >
      <header>
        <h2 class="below-2 text-large" id={`${id}-title`}>{title}</h2>
        {lead !== undefined && <p class="muted flush text-medium">{lead}</p>}
      </header>
      <div class="record-content">{children}</div>
    </section>
  );
}

/**
 * A section that is one line until it is opened: its heading and its state.
 *
 * The id is inside the `<details>`, because browsers open those around the target of a link.
 */
export function FoldedSection({ id, title, heading: Heading = "h3", state, open, lead, children }:
  & SectionProps
  & {
    heading?: "h2" | "h3";
    state: ComponentChildren;
    /** True if the holder has to see the content. */
    open?: boolean;
  }) {
  return (
    <details class="fold ruled" open={open}>
      <summary>
        <Heading class="text-medium flush" id={`${id}-title`}>{title}</Heading>{" "}
        <span class="muted text-medium">{state}</span>
      </summary>
      <section class="record-content" id={id} aria-labelledby={`${id}-title`}>
        {lead !== undefined && <p class="muted text-medium screen-only">{lead}</p>}
        {children}
      </section>
    </details>
  );
}
