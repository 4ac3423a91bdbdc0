import { page } from "fresh";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { InfraPage } from "../../components/infra/InfraPage.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    return page({ operator, map: await services.infra.map(surface.organisation) });
  },
});

/** The infrastructure map, for L1. Board members see the states of the routes at `/console/surfaces`. */
export default define.page<typeof handler>(({ data: { operator, map }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Infrastructure">
    <InfraPage map={map} now={state.services.clock()} />
  </ConsoleFrame>
));
