import { page } from "fresh";
import { ContactHome } from "../components/contact/ContactHome.tsx";
import { ApiHome } from "../components/api/ApiHome.tsx";
import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { McpHome } from "../components/mcp/McpHome.tsx";
import { WorkbenchHome } from "../components/pages/WorkbenchHome.tsx";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { TrustHome } from "../components/trust_pages/TrustHome.tsx";
import { type SavedItems, savedItems } from "../lib/qualifications/mod.ts";
import { define, pageHandler, type State } from "../lib/state.ts";
import type { HomeName } from "../lib/surfaces/mod.ts";

type Home = (
  props: { state: State; url: URL; items: SavedItems | null },
) => preact.JSX.Element;

const HOMES: Record<HomeName, Home> = {
  workbench: WorkbenchHome,
  site: SiteHome,
  marketing: MarketingHome,
  investor: ContactHome,
  mcp: McpHome,
  api: ApiHome,
  trust: TrustHome,
};

export const handler = pageHandler({
  GET: async (ctx) => {
    const { home } = ctx.state.surface;
    if (home.startsWith("/")) return ctx.redirect(home);
    return page({ items: home === "site" ? await savedItems(ctx.state) : null });
  },
});

/** The page at `/`, selected by the surface's row in the table. */
export default define.page<typeof handler>(({ data, state, url }) => {
  const Home = HOMES[state.surface.home as HomeName];
  return <Home state={state} url={url} {...data} />;
});
