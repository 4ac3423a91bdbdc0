import { asset, Head } from "fresh/runtime";

/** The head of the foundation's own pages, which share one stylesheet. */
export function FoundationHead({ title, description }: { title: string; description: string }) {
  return (
    <Head>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <link key="styles" rel="stylesheet" href={asset("/styles/pages/foundation.css")} />
    </Head>
  );
}
