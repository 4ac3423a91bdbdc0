import type { ComponentChildren } from "preact";

export function Section(
  { id, title, lead, children }: {
    id: string;
    title: string;
    lead: ComponentChildren;
    children: ComponentChildren;
  },
) {
  return (
    <section class="part" id={id} aria-labelledby={`${id}-title`}>
      <header class="part-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="lead">{lead}</p>
      </header>
      {children}
    </section>
  );
}
