/** Small parts that console pages share: heading, card, value to copy, placeholder and figure. */
import type { ComponentChildren } from "preact";

/** The heading of a page, with an explanation below it and actions at its right. */
export function PageHead({ title, lead, children }: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  /** Buttons and links. */
  children?: ComponentChildren;
}) {
  return (
    <header class="wrap page-head middle apart gap-3-5 below-5">
      <div class="shrinks">
        <h1 class="flush anywhere">{title}</h1>
        {lead !== undefined && <p class="lead flush anywhere">{lead}</p>}
      </div>
      {children !== undefined && <div class="wrap gap-2 shrinks">{children}</div>}
    </header>
  );
}

export const Card = ({ id, title, screenOnly = false, children }: {
  id: string;
  title: string;
  /** True if a print would show nothing but the title. */
  screenOnly?: boolean;
  children: ComponentChildren;
}) => (
  <section class={screenOnly ? "card screen-only" : "card"} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** A value to copy, with a button for it on pages with the island `CopySamples`. */
export const CodeSample = ({ code }: { code: string }) => (
  <div class="code-sample below-4">
    <pre class="pad-3-4 framed rounded anywhere"><code>{code}</code></pre>
  </div>
);

/** Grey lines in place of content that is being loaded. The text beside them says so in words. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton stack gap-3" aria-hidden="true">
      {Array.from({ length: lines }, (_, i) => <span key={i} />)}
    </div>
  );
}

/** A large figure with a label above and a note below. */
export function Total({ label, figure, children }: {
  label: string;
  figure: string;
  children?: ComponentChildren;
}) {
  return (
    <p class="total stack flush">
      <span class="label">{label}</span>
      <span class="figure ink">{figure}</span>
      {children !== undefined && <span class="label">{children}</span>}
    </p>
  );
}
