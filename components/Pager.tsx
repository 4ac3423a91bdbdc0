/**
 * The bar above a list, and the links and forms that lead to its other pages and its download.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

/** The bar above a list: how much it shows, and actions such as a download. */
export function ListBar({ shown, children }: {
  shown: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <div class="wrap middle apart ledger-bar below-2 gap-3">
      <p class="flush muted text-small">{shown}</p>
      {children}
    </div>
  );
}

/** The content of what downloads a list: all of it, not only the page that is shown. */
const DownloadText = ({ filtered }: { filtered: boolean }) => (
  <>
    <Icon name="download" />
    {filtered ? "Download all matches (CSV)" : "Download all (CSV)"}
  </>
);

/**
 * A link that downloads a whole list.
 *
 * @param props.filtered true if it contains only what matches filters
 */
export function DownloadLink({ href, filtered }: { href: string; filtered: boolean }) {
  // Without `download`, because if the session has ended or what it needs fails, the response is a page.
  return (
    <a class="button small" aria-current="false" href={href}>
      <DownloadText filtered={filtered} />
    </a>
  );
}

/** A button that downloads a whole list. It is a form, because the URL must not contain what was searched for. */
export const DownloadForm = ({ action, fields, filtered }: {
  action: string;
  fields: Readonly<Record<string, string>>;
  filtered: boolean;
}) => (
  <form class="flush" method="post" action={action}>
    <HiddenFields fields={fields} />
    <button type="submit" class="button small">
      <DownloadText filtered={filtered} />
    </button>
  </form>
);

interface PageLink {
  href: string;
  text: string;
  onClick?: (event: MouseEvent) => void;
}

/** Links to the previous and the next page. Renders nothing if there is neither. */
export function Pager({ label, previous, next, children }: {
  label: string;
  previous?: PageLink | null;
  next?: PageLink | null;
  /** The number of the page, or links to all pages. */
  children?: ComponentChildren;
}) {
  if (!previous && !next) return null;
  return (
    <nav class="pager middle gap-3" aria-label={label}>
      {previous ? <Step rel="prev" link={previous} /> : <span />}
      <div class="muted text-small">{children}</div>
      {next ? <Step rel="next" link={next} /> : <span />}
    </nav>
  );
}

/** Links to a page of a search. It is a form, because URLs must not contain what was searched for. */
export const PostedStep = ({ action, fields, text }: {
  action: string;
  fields: Readonly<Record<string, string | undefined>>;
  text: string;
}) => (
  <form class="flush" method="post" action={action}>
    <HiddenFields fields={fields} />
    <button type="submit" class="button small">{text}</button>
  </form>
);

export const HiddenFields = (
  { fields }: { fields: Readonly<Record<string, string | undefined>> },
) => (
  <>
    {Object.entries(fields).map(([name, value]) =>
      value !== undefined && <input key={name} type="hidden" name={name} value={value} />
    )}
  </>
);

const Step = ({ rel, link: { text, ...link } }: { rel: "prev" | "next"; link: PageLink }) => (
  <a class="button small" aria-current="false" rel={rel} {...link}>
    {rel === "prev" ? `← ${text}` : `${text} →`}
  </a>
);
