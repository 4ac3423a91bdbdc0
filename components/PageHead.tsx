import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";

/** The head of a public page: its title and description, also for previews of links, and its stylesheet. */
export function PageHead({ title, description, styles, children }: {
  title: string;
  description: string;
  /** The name of a stylesheet in `static/styles/pages/`. */
  styles: string;
  children?: ComponentChildren;
}) {
  return (
    <Head>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {children}
      <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
    </Head>
  );
}
