import type { ComponentChildren } from "preact";
import type { Account } from "../../lib/features/bank/mod.ts";

/**
 * A green or grey dot, with the state of the bank connection as text (spec 4.2.1).
 *
 * @param props.waiting whether the bank has not responded yet
 */
export function Connection({ live, waiting = false }: { live: boolean; waiting?: boolean }) {
  return (
    <span class={live ? "connection live" : "connection"}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {live ? "Live" : waiting ? "Waiting for the bank" : "Not connected"}
    </span>
  );
}

/** A green pill for an active account, a grey one for a restricted account (spec 3), or a dash. */
export function AccountStatus({ status }: { status: Account["status"] }) {
  switch (status) {
    case "active":
      return <span class="pill good">Active</span>;
    case "restricted":
      return <span class="pill">Restricted</span>;
    case "unknown":
      return (
        <span class="pill">
          <span class="visually-hidden">Status unknown</span>
          <span aria-hidden="true">–</span>
        </span>
      );
  }
}

export function AccountNumber({ last4 }: { last4: string }) {
  return (
    <span class="mono last4">
      <span aria-hidden="true">••</span>
      <span class="visually-hidden">ending in</span>
      {last4 || "–"}
    </span>
  );
}

/** The heading of a page, with an explanation below it and actions at its right. */
export function PageHead({ title, lead, children }: {
  title: ComponentChildren;
  lead?: ComponentChildren;
  /** Buttons and links. */
  children?: ComponentChildren;
}) {
  return (
    <header class="wrap page-head">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p class="lead">{lead}</p>}
      </div>
      {children !== undefined && <div class="wrap page-actions">{children}</div>}
    </header>
  );
}

/** A card with a heading. */
export const Card = (
  { id, title, children }: { id: string; title: string; children: ComponentChildren },
) => (
  <section class="card" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** The bar above a list: how much it shows, and actions such as a download. */
export function ListBar({ shown, children }: {
  shown: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="wrap ledger-bar">
      <p>{shown}</p>
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

/**
 * On phones, shows and hides the fields that follow it in a form, without scripts. On wider screens, it
 * is hidden and they are shown.
 *
 * @param props.open whether they are shown at first, because some are set or invalid
 */
export function FilterToggle({ open, text = "Filters" }: { open: boolean; text?: string }) {
  return (
    <details class="filter-toggle" open={open}>
      <summary>{text}</summary>
    </details>
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

/** Grey lines in place of content that is being loaded. The text beside them says so in words. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div class="skeleton" aria-hidden="true">
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
    <p class="total">
      <span class="label">{label}</span>
      <span class="figure">{figure}</span>
      {children !== undefined && <span class="label">{children}</span>}
    </p>
  );
}

/** Decorative icons in the colour of the text, always next to a label. */
const PATHS = {
  dashboard: "M3 3h6v7H3zM11 3h6v4h-6zM11 10h6v7h-6zM3 13h6v4H3z",
  finance:
    "M10 2v16M14 6.200C13.400 5 12 4.300 10 4.300c-2.300 0-4 1-4 2.700 0 4.200 8.300 1.700 8.300 " +
    "6 0 1.700-1.800 2.800-4.300 2.800-2.200 0-3.900-.8-4.500-2.200",
  surfaces:
    "M10 2.500 17.500 6.500 10 10.500 2.500 6.500zM3 10l7 3.800L17 10M3 13.500l7 3.800 7-3.800",
  alerts:
    "M10 2.500a5 5 0 0 1 5 5v3.500l1.500 3h-13l1.500-3V7.500a5 5 0 0 1 5-5zM8 16.500a2 2 0 0 0 4 0",
  records: "M4.500 2.500h8l3 3v12h-11zM12.500 2.500v3h3M7.500 9.500h5M7.500 13h5",
  payments: "M2.500 4.500h15v11h-15zM2.500 8.200h15M5.500 12.300h4",
  users:
    "M10 10a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600zM3.500 17c.6-3 3-4.500 6.500-4.500s5.900 1.500 6.500 4.500",
  audit:
    "M7.500 4.500h9.500M7.500 10h9.500M7.500 15.500h9.500M3.300 4.500h.1M3.300 10h.1M3.300 15.500h.1",
  infra: "M3 3.500h14v5H3zM3 11.500h14v5H3zM6 6h.1M6 14h.1M10 6h4M10 14h4",
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM13.500 13.500 17.500 17.500",
  menu: "M3 5.500h14M3 10h14M3 14.500h14",
  refresh: "M16.500 10a6.500 6.500 0 1 1-2-4.700M16.500 2.500v3.800h-3.800",
  download: "M10 3v9M6.200 8.500 10 12.300l3.800-3.800M3.500 16.500h13",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" class="icon" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.500"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
