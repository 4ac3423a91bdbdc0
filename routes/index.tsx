import { page } from "fresh";
import { ApiHome } from "../components/api/ApiHome.tsx";
import { InvestorHome } from "../components/investor/InvestorHome.tsx";
import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { McpHome } from "../components/mcp/McpHome.tsx";
import { WorkbenchHome } from "../components/workbench/WorkbenchHome.tsx";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { TrustHome } from "../components/trust_pages/TrustHome.tsx";
import { readFigures } from "../lib/investor/mod.ts";
import { savedItems } from "../lib/qualifications/mod.ts";
import { define, pageHandler, type State } from "../lib/state.ts";
import type { HomeName } from "../lib/surfaces/mod.ts";
import { readWorkbench } from "../lib/workbench/mod.ts";

interface Request {
  state: State;
  url: URL;
}

/** Returns the page, with what it shows from the store. */
type Home = (request: Request) => preact.JSX.Element | Promise<preact.JSX.Element>;

const HOMES: Record<HomeName, Home> = {
  workbench: async ({ state }) => (
    <WorkbenchHome state={state} view={await readWorkbench(state.services)} />
  ),
  site: async (request) => <SiteHome {...request} items={await savedItems(request.state)} />,
  marketing: (request) => <MarketingHome {...request} />,
  investor: async (request) => (
    <InvestorHome {...request} figures={await readFigures(request.state.services.kv)} />
  ),
  mcp: (request) => <McpHome {...request} />,
  api: (request) => <ApiHome {...request} />,
  trust: (request) => <TrustHome {...request} />,
};

export const handler = pageHandler({
  async GET(ctx) {
    const { home } = ctx.state.surface;
    if (home.startsWith("/")) return ctx.redirect(home);
    return page({ content: await HOMES[home as HomeName]({ state: ctx.state, url: ctx.url }) });
  },
});

/** The page at `/`, selected by the surface's row in the table. */
export default define.page<typeof handler>(({ data }) => data.content);
