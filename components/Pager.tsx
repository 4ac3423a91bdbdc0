import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

/** The bar above a list: how much it shows, and actions such as a download. */
export function ListBar({ shown, children }: {
  shown: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="wrap ledger-bar below-2">
      <p class="flush muted text-small">{shown}</p>
      {children}
    </div>
  );
}

/** A link that downloads a whole list. */
export function DownloadLink({ href }: { href: string }) {
  // Without `download`, because if the session has ended, the response is a page.
  return (
    <a class="button small" aria-current="false" href={href}>
      <Icon name="download" />
      Download all (CSV)
    </a>
  );
}

/** Links to the previous and the next page. Renders nothing if there is neither. */
export function Pager({ label, previous, next, children }: {
  label: string;
  previous?: { href: string; text: string } | null;
  next?: { href: string; text: string } | null;
  /** The number of the page. */
  children?: ComponentChildren;
}) {
  if (!previous && !next) return null;
  return (
    <nav class="wrap ledger-pages" aria-label={label}>
      {previous
        ? (
          <a class="button small" aria-current="false" rel="prev" href={previous.href}>
            ← {previous.text}
          </a>
        )
        : <span />}
      {children !== undefined && <span class="note">{children}</span>}
      {next
        ? (
          <a class="button small" aria-current="false" rel="next" href={next.href}>
            {next.text} →
          </a>
        )
        : <span />}
    </nav>
  );
}
