/** The layout of the pages that show a receipt, a refused form or a confirmation of an enquiry. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { type BesidePart, Columns } from "../RecordFrame.tsx";

/** The frame of the pages that follow an enquiry. Search engines do not index them. */
export function ContactPage(
  { title, heading = title, back, beside, children }: {
    title: string;
    heading?: string;
    /** The address of the site with the form; null if it is unknown. */
    back?: string | null;
    /** The notes beside the column of text. */
    beside?: readonly BesidePart[];
    children: ComponentChildren;
  },
) {
  return (
    <section class="contact-page">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/contact.css")} />
      </Head>
      <Columns beside={beside}>
        {back && (
          <p class="back-link">
            <a href={back}>
              <span aria-hidden="true">←</span> Back to {new URL(back).host}
            </a>
          </p>
        )}
        <p class="eyebrow">{CONFIG.COPY.EYEBROW}</p>
        <h1>{heading}</h1>
        {children}
      </Columns>
    </section>
  );
}

export function RecordFact({ hash }: { hash: string }) {
  return (
    <>
      <dt>Record</dt>
      <dd>
        <code>{hash}</code>
      </dd>
    </>
  );
}
