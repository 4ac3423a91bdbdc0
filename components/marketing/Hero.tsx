import type { ComponentChildren } from "preact";

export function Hero(
  { eyebrow, title, lead, actions }: {
    eyebrow: string;
    title: string;
    lead: ComponentChildren;
    actions: { href: string; text: string }[];
  },
) {
  return (
    <section class="hero">
      <p class="eyebrow">{eyebrow}</p>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <p class="actions">
        {actions.map(({ href, text }, i) => (
          <a class={i === 0 ? "button primary" : "button"} href={href}>{text}</a>
        ))}
      </p>
    </section>
  );
}
