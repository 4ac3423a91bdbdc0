import { RegistryPage } from "../../components/console/RegistryPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer } from "../../lib/features/console/access.ts";
import { readRegistry } from "../../lib/features/console/registry.ts";
import { route } from "../../lib/app/state.ts";

/**
 * The surface registry, for both layers: states, counts and times, but no addresses. L1 sees the
 * jobs and the details of problems too.
 */
export const handler = route({
  async GET(ctx) {
    const { layer } = requireLayer(ctx.state, "L2");
    const { services, surface } = ctx.state;
    const registry = await readRegistry(services, layer, surface.organisation);
    return await renderConsole(ctx, { title: "Surfaces" }, <RegistryPage registry={registry} />);
  },
});
