import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { type BesidePart, Columns } from "../RecordFrame.tsx";

/**
 * Leads on from a link that no longer works. Mails from before links named the document have none, so
 * its number is asked for.
 */
export const ToDocument = ({ document }: { document: string | null }) => (
  <p class="actions">
    {document === null
      ? <a class="button primary" href="/d">Find the document by its number</a>
      : <a class="button primary" href={`/d/${document}`}>Open the document's page</a>}
  </p>
);

/** A page for a person who asks for access to a document. */
export function AccessPage({ title, beside, children }: {
  title: string;
  /** The notes beside the column of text. */
  beside?: readonly BesidePart[];
  children: ComponentChildren;
}) {
  return (
    <div class="record-page narrow record-action access-page">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/record_action.css")} />
      </Head>
      <Columns beside={beside}>
        <h1>{title}</h1>
        {children}
      </Columns>
    </div>
  );
}
