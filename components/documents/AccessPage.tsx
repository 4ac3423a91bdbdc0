import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** A page on which somebody who asked for access to a document reads or does one thing. */
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
