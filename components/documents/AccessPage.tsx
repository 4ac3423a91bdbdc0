import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** A page for a person who asks for access to a document. */
export function AccessPage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="record-page narrow record-action access-page">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/record_action.css")} />
      </Head>
      <h1>{title}</h1>
      {children}
    </div>
  );
}
