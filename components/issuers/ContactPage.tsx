import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { type BesidePart, Columns } from "../RecordFrame.tsx";

/** The fields that say which mailed link a form belongs to. */
export const LinkFields = ({ link: { of, token } }: { link: { of: string; token: string } }) => (
  <>
    <input type="hidden" name="of" value={of} />
    <input type="hidden" name="token" value={token} />
  </>
);

/** A page behind a link in a mail to the contact of an issuer. */
export const ContactPage = (
  { title, beside, children }: {
    title: string;
    beside?: readonly BesidePart[];
    children: ComponentChildren;
  },
) => (
  <section class="contact-page">
    <Head>
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/contact.css")} />
    </Head>
    <Columns beside={beside}>
      <p class="eyebrow">API keys</p>
      <h1>{title}</h1>
      {children}
    </Columns>
  </section>
);
