import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { CONFIG } from "../../lib/contact/config.ts";

/** The frame of the pages that follow an enquiry. Search engines do not index them. */
export function ContactPage(
  { title, heading = title, children }: {
    title: string;
    heading?: string;
    children: ComponentChildren;
  },
) {
  return (
    <section class="prose">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/contact.css")} />
      </Head>
      <p class="eyebrow">{CONFIG.COPY.EYEBROW}</p>
      <h1>{heading}</h1>
      {children}
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
