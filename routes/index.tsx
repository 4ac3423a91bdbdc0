import { page } from "fresh";
import { ApiHome } from "../components/pages/ApiHome.tsx";
import { ContactHome } from "../components/pages/ContactHome.tsx";
import { MarketingHome } from "../components/pages/MarketingHome.tsx";
import { McpHome } from "../components/pages/McpHome.tsx";
import { SiteHome } from "../components/pages/SiteHome.tsx";
import { TrustHome } from "../components/pages/TrustHome.tsx";
import { WorkbenchHome } from "../components/pages/WorkbenchHome.tsx";
import { define, type State } from "../lib/state.ts";
import type { SurfaceKind } from "../lib/surfaces/mod.ts";

type Home = (props: { state: State; url: URL }) => preact.JSX.Element;

const HOMES: Record<Exclude<SurfaceKind, "console">, Home> = {
  workbench: WorkbenchHome,
  site: SiteHome,
  marketing: MarketingHome,
  investor: ContactHome,
  mcp: McpHome,
  api: ApiHome,
  trust: TrustHome,
};

export const handler = define.handlers({
  GET: (ctx) => ctx.state.surface.kind === "console" ? ctx.redirect("/console") : page(),
});

/** What stands at `/` depends on the surface. */
export default define.page<typeof handler>(({ state, url }) => {
  const { kind } = state.surface;
  const Home = HOMES[kind === "console" ? "workbench" : kind];
  return <Home state={state} url={url} />;
});
