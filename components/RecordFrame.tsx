/** The layout of the pages of a record's holder: the frame, the notes beside the text, and the link back. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** The frame of every page below `/my-record`. Search engines do not index them. */
export function RecordFrame(
  { title, wide = false, styles = "record", beside, children }: {
    /** The page's title in the browser's tab. */
    title: string;
    /** True if the page is as wide as the record page, instead of a column of text. */
    wide?: boolean;
    /** The stylesheet in `static/styles/pages`, which includes `record.css`. */
    styles?: string;
    /** The notes beside the column of text. */
    beside?: readonly BesidePart[];
    children: ComponentChildren;
  },
) {
  return (
    <div class={wide ? "record-page" : "record-page narrow"}>
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
      </Head>
      {wide ? children : <Columns beside={beside}>{children}</Columns>}
    </div>
  );
}

/** A note in the second column: what happens next, what stays, or how to undo it. */
export interface BesidePart {
  title: string;
  text: ComponentChildren;
}

/** A column of text with notes beside it, or below it on narrow screens. */
export const Columns = (
  { beside, children }: { beside?: readonly BesidePart[]; children: ComponentChildren },
) => (
  <>
    <div class="record-column">{children}</div>
    {beside !== undefined && (
      <aside class="record-beside" aria-label="Good to know">
        {beside.map(({ title, text }) => (
          <section key={title}>
            <h2>{title}</h2>
            {typeof text === "string" ? <p>{text}</p> : text}
          </section>
        ))}
      </aside>
    )}
  </>
);

/** A link back to the record page, above the heading of the pages below it. */
export const BackToRecord = (
  { text = "My record", href = "/my-record" }: { text?: string; href?: string },
) => (
  <p class="back-link">
    <a href={href}>
      <span aria-hidden="true">←</span> {text}
    </a>
  </p>
);
