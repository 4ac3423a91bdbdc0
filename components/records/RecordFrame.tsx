import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** The frame of every page below `/my-record`. Search engines do not index them. */
export function RecordFrame(
  { title, wide = false, styles = "record", children }: {
    /** The page's title in the browser's tab. */
    title: string;
    /** True if the page is as wide as the record page, instead of a column of text. */
    wide?: boolean;
    /** The stylesheet in `static/styles/pages`, which includes `record.css`. */
    styles?: string;
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
      {children}
    </div>
  );
}

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
