import { renderConsole } from "../../components/console/render_console.tsx";
import { InfraPage } from "../../components/infra/InfraPage.tsx";
import { requireLayer } from "../../lib/features/console/access.ts";
import { route } from "../../lib/app/state.ts";

/** The infrastructure map, for L1. Board members see one line about it on the dashboard. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    const map = await services.infra.map(surface.organisation);
    const page = <InfraPage map={map} now={services.clock()} />;
    return await renderConsole(ctx, { title: "Infrastructure" }, page);
  },
});
