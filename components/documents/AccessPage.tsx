import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import { type BesidePart, Columns } from "../RecordFrame.tsx";

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
