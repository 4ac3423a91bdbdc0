/** The HTML document around every page: its head, styles, icons and metadata. */
import { asset } from "fresh/runtime";
import { ContactModal } from "../components/contact/ContactModal.tsx";
import { ConnectBadge } from "../components/mcp/ConnectBadge.tsx";
import { FontPreloads, Icons, Metadata } from "../components/Metadata.tsx";
import { ReadOnlyNotice } from "../components/ReadOnlyNotice.tsx";
import { AppMetadata } from "../components/push/app/AppMetadata.tsx";
import { Shell } from "../components/Shell.tsx";
import { headLinks } from "../lib/features/mcp/mod.ts";
import { themeChoiceOf } from "../lib/platform/http/theme.ts";
import { isAppPage } from "../lib/features/push/app/mod.ts";
import { define } from "../lib/app/state.ts";

export default define.layout(({ Component, state, url, req, error }) => {
  const { surface, services } = state;
  const theme = themeChoiceOf(req);
  const marketing = surface.advertisesMcp;
  // Where people sign in to accounts and records, most pages are for one person only.
  const isPublic = marketing || surface.signIn === null &&
      (!surface.holders || [...surface.indexed, "/verify"].includes(url.pathname));
  // The workbench of development serves the pages of every site, so it needs the larger styles.
  const styles = marketing || surface.servesAll ? "marketing" : "site";
  return (
    <html
      lang="en"
      data-organisation={surface.organisation}
      data-theme={theme.theme ?? undefined}
      data-date-locale={services.config.dateLocale}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{surface.title}</title>
        <meta name="description" content={surface.purpose} />
        <meta name="color-scheme" content="dark light" />
        <FontPreloads organisation={surface.organisation} />
        <Icons organisation={surface.organisation} />
        {surface.holders && services.config.recordApp && isAppPage(url.pathname) && <AppMetadata />}
        <link
          key="shared-styles"
          rel="stylesheet"
          href={asset(`/styles/shared/${surface.organisation}.css`)}
        />
        {/* Pages with their own styles replace this element by its key. */}
        <link key="styles" rel="stylesheet" href={asset(`/styles/pages/${styles}.css`)} />
        {isPublic && !error && <Metadata state={state} pathname={url.pathname} />}
        {marketing &&
          headLinks(services.manifests[surface.organisation]).map((link) => (
            <link key={link.rel} {...link} />
          ))}
      </head>
      <body>
        {services.store.readOnly !== null && <ReadOnlyNotice />}
        {state.bare ? <Component /> : (
          <Shell
            state={state}
            theme={theme}
            pathname={url.pathname}
            search={url.search}
            badge={marketing && <ConnectBadge state={state} />}
          >
            <Component />
          </Shell>
        )}
        {marketing && state.scripts && url.pathname !== "/contact" && (
          <ContactModal state={state} />
        )}
      </body>
    </html>
  );
});
