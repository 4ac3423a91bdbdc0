/** The home page, which is another one on each surface. */
import { page } from "fresh";
import { ApiHome } from "../components/api/ApiHome.tsx";
import { InvestorHome } from "../components/marketing/investor/InvestorHome.tsx";
import { MarketingHome } from "../components/marketing/MarketingHome.tsx";
import { McpHome } from "../components/mcp/McpHome.tsx";
import { WitnessHome } from "../components/witness/WitnessHome.tsx";
import { WorkbenchHome } from "../components/workbench/WorkbenchHome.tsx";
import { SiteHome } from "../components/qualifications/SiteHome.tsx";
import { TrustHome } from "../components/standard/pages/TrustHome.tsx";
import { isSearchUrl, savedItems } from "../lib/features/qualifications/mod.ts";
import { define, hasNoQuery, sharedPage, type State } from "../lib/app/state.ts";
import type { HomeName } from "../lib/platform/surfaces/mod.ts";
import { readWorkbench } from "../lib/features/workbench/mod.ts";

interface Request {
  state: State;
  url: URL;
}

interface Home {
  /** Returns the page, with what it shows from the store. */
  show(request: Request): preact.JSX.Element | Promise<preact.JSX.Element>;
  /** Returns whether the page is the same for every visitor; never, if absent. */
  isShared?(request: Request): boolean;
}

const HOMES: Record<HomeName, Home> = {
  workbench: {
    show: async ({ state }) => (
      <WorkbenchHome state={state} view={await readWorkbench(state.services)} />
    ),
  },
  site: {
    show: async (request) => <SiteHome {...request} items={await savedItems(request.state)} />,
    isShared: ({ url }) => isSearchUrl(url),
  },
  marketing: { show: (request) => <MarketingHome {...request} />, isShared: hasNoQuery },
  investor: { show: (request) => <InvestorHome {...request} /> },
  mcp: { show: (request) => <McpHome {...request} />, isShared: hasNoQuery },
  api: { show: (request) => <ApiHome {...request} />, isShared: hasNoQuery },
  trust: { show: (request) => <TrustHome {...request} />, isShared: hasNoQuery },
  witness: {
    show: async ({ state }) => {
      const witness = await state.services.witness.open();
      const [logs, lost] = await Promise.all([witness.logs(), witness.lost()]);
      return <WitnessHome state={state} witness={witness} logs={logs} lostAt={lost?.at ?? null} />;
    },
  },
};

const homeOf = ({ state }: Request): Home | undefined => HOMES[state.surface.home as HomeName];

export const handler = sharedPage({
  async GET(ctx) {
    const home = homeOf(ctx);
    if (home === undefined) return ctx.redirect(ctx.state.surface.home);
    return page({ content: await home.show({ state: ctx.state, url: ctx.url }) });
  },
}, (ctx) => homeOf(ctx)?.isShared?.(ctx) ?? false);

/** The page at `/`, selected by the surface's row in the table. */
export default define.page<typeof handler>(({ data }) => data.content);
