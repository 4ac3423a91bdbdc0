import type { Standard } from "../../lib/standard/mod.ts";

/** Which text one reads, and in which version; it leads to the contents. */
export function StandardEyebrow({ standard }: { standard: Standard }) {
  return (
    <p class="eyebrow">
      <a href="/standard">{standard.title} {standard.version}</a>
    </p>
  );
}
