import type { ComponentChildren } from "preact";

/**
 * A section of the record page: its heading and explanation, beside the content on wide screens.
 *
 * @example
 * ```tsx
 * <Section id="passkeys" title="Passkeys" lead="Sign in with your fingerprint, face or PIN.">
 *   …
 * </Section>
 * ```
 */
export function Section(
  { id, title, lead, children }: {
    /** The target of links such as `/my-record#passkeys`. */
    id: string;
    title: string;
    lead?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  return (
    <section class="record-section ruled block-print" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 class="below-2 text-large" id={`${id}-title`}>{title}</h2>
        {lead !== undefined && <p class="muted flush text-medium">{lead}</p>}
      </header>
      <div class="record-content">{children}</div>
    </section>
  );
}
