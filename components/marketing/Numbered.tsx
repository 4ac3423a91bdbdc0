import type { ComponentChildren } from "preact";

/** A numbered section, as in a journal: the number and title in the margin, the text beside them. */
export function Numbered({ id, number, title, children }: {
  id: string;
  number: number;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <section
      class="numbered stack pad-top-4 one-column-960"
      id={id}
      aria-labelledby={`${id}-title`}
    >
      <header class="numbered-head stack baseline">
        <span class="numeral muted" aria-hidden="true">{number}</span>
        <h2 class="flush" id={`${id}-title`}>{title}</h2>
      </header>
      <div class="numbered-text shrinks">{children}</div>
    </section>
  );
}

/** The opening of one of the foundation's pages. */
export function PageOpening({ eyebrow, title, children }: {
  eyebrow: string;
  title: string;
  children: ComponentChildren;
}) {
  return (
    <header class="page-opening">
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      <p class="lead flush ink">{children}</p>
    </header>
  );
}
