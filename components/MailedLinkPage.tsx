/** The parts that all pages behind links in mails share, for usable, used and expired links. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { type BesidePart, Columns } from "./RecordFrame.tsx";

/** The headings of links that no longer do anything. A kind of link may have its own. */
const TITLES = {
  used: "This link was already used",
  expired: "This link has expired",
  other: "This link is not valid",
};

type MailedLinkPageProps =
  & {
    /** The part of the site that the link belongs to, above the heading. */
    eyebrow?: string;
    /** The part of the site that the link belongs to, in the browser's tab. */
    part?: string;
    /** The notes beside the column of text. */
    beside?: readonly BesidePart[];
    children: ComponentChildren;
  }
  & (
    | { state: "open"; title: string }
    /** `used`: also directly after its button was pressed. `other`: unknown, or not usable now. */
    | { state: "used" | "expired" | "other"; title?: string }
  );

/** The frame of the pages behind mailed links, with the text and the form of a kind of link in one of its states. */
export function MailedLinkPage(
  { eyebrow, part, beside, children, ...link }: MailedLinkPageProps,
) {
  const title = link.state === "open" ? link.title : link.title ?? TITLES[link.state];
  return (
    <section class="record-page narrow link-page">
      <Head>
        <title>{part === undefined ? title : `${title} · ${part}`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/record_action.css")} />
      </Head>
      <Columns beside={beside}>
        {eyebrow !== undefined && <p class="eyebrow">{eyebrow}</p>}
        <h1>{title}</h1>
        {children}
      </Columns>
    </section>
  );
}

/** The fields that say which link a form belongs to. The token must not be in the URL of a form. */
export const LinkFields = ({ of, token }: { of?: string; token: string }) => (
  <>
    {of !== undefined && <input type="hidden" name="of" value={of} />}
    <input type="hidden" name="token" value={token} />
  </>
);
