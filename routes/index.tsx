import { page } from "fresh";
import { ContactHome } from "../components/contact/ContactHome.tsx";
import { ApiHome } from "../components/pages/ApiHome.tsx";
import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { McpHome } from "../components/mcp/McpHome.tsx";
import { WorkbenchHome } from "../components/pages/WorkbenchHome.tsx";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { TrustHome } from "../components/trust_pages/TrustHome.tsx";
import { define, pageHandler, type State } from "../lib/state.ts";
import type { HomeName } from "../lib/surfaces/mod.ts";

type Home = (props: { state: State; url: URL }) => preact.JSX.Element;

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
  GET: (ctx) => {
    const { home } = ctx.state.surface;
    return home.startsWith("/") ? ctx.redirect(home) : page();
  },
});

/** The page at `/`, selected by the surface's row in the table. */
export default define.page<typeof handler>(({ state, url }) => {
  const Home = HOMES[state.surface.home as HomeName];
  return <Home state={state} url={url} />;
});
