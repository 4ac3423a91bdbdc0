import { RegistryPage } from "../../components/infra/RegistryPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer } from "../../lib/features/console/http.ts";
import { readRegistry } from "../../lib/features/infra/registry.ts";
import { route } from "../../lib/app/state.ts";

/** The surface registry, for full administrators: states, counts and times, but no addresses. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    const registry = await readRegistry(services, surface.organisation);
    return await renderConsole(ctx, { title: "Surfaces" }, <RegistryPage registry={registry} />);
  },
});
