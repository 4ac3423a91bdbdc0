import { page } from "fresh";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { RegistryPage } from "../../components/console/RegistryPage.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { readRegistry } from "../../lib/console/registry.ts";
import { define, pageHandler } from "../../lib/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L2");
    const registry = await readRegistry(ctx.state.services, operator.layer);
    return page({ operator, registry });
  },
});

/**
 * The surface registry, for both layers: counts and times, but no addresses. L1 sees the jobs too.
 */
export default define.page<typeof handler>(({ data: { operator, registry }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Surfaces">
    <RegistryPage registry={registry} />
  </ConsoleFrame>
));
