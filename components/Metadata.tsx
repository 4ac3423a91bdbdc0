/** The tags in a page's head for search engines, link previews, fonts and icons. */
import { asset } from "fresh/runtime";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import type { State } from "../lib/app/state.ts";

/** Metadata of public pages for sharing and search. A page's `PageHead` overrides entries by name. */
export function Metadata({ state, pathname }: { state: State; pathname: string }) {
  const { surface, services } = state;
  const { name, description } = services.config.organisations[surface.organisation];
  const [title, text] = surface.advertisesMcp
    ? [name, description]
    : [surface.title, surface.purpose];
  const image = `${surface.baseUrl}/og-${surface.organisation}.png`;
  return (
    <>
      <link key="canonical" rel="canonical" href={surface.baseUrl + pathname} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={text} />
      <meta property="og:url" content={surface.baseUrl + pathname} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={`${name}: ${description}`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

export function OrganisationData({ state }: { state: State }) {
  const { surface, services } = state;
  const { name, description, contactEmail, codeHostUrl } =
    services.config.organisations[surface.organisation];
  const data = {
    "@context": "https://schema.org",
    "@type": "Organization",
    name,
    description,
    url: surface.baseUrl + "/",
    logo: `${surface.baseUrl}/icons/${surface.organisation}-512.png`,
    email: contactEmail,
    sameAs: [codeHostUrl],
  };
  // Without "<" the data cannot close the script element.
  const __html = JSON.stringify(data).replaceAll("<", "\\u003c");
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html }} />;
}

/** The fonts that every page of an organisation shows before scrolling (`tools/fonts.ts`). */
const FONTS: Record<OrganisationKey, string[]> = {
  foundation: ["newsreader", "source-sans"],
  commercial: ["geist"],
};

export function FontPreloads({ organisation }: { organisation: OrganisationKey }) {
  return FONTS[organisation].map((name) => (
    <link
      key={`font-${name}`}
      rel="preload"
      href={asset(`/fonts/${name}.woff2`)}
      as="font"
      type="font/woff2"
      crossorigin="anonymous"
    />
  ));
}

export function Icons({ organisation }: { organisation: OrganisationKey }) {
  const icon = (end: string) => asset(`/icons/${organisation}${end}`);
  return (
    <>
      <link key="favicon" rel="icon" href={icon(".ico")} sizes="32x32" />
      <link key="icon" rel="icon" href={icon(".svg")} type="image/svg+xml" />
      <link key="apple-touch-icon" rel="apple-touch-icon" href={icon("-180.png")} />
    </>
  );
}
