import { asset, Head } from "fresh/runtime";

/** The head of a marketing page: its title and description, and the stylesheet of its group. */
export function MarketingHead({ title, description, styles }: {
  title: string;
  description: string;
  styles: "foundation" | "commercial_page";
}) {
  return (
    <Head>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
    </Head>
  );
}
