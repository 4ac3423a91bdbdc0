import { renderConsole } from "../../components/console/render_console.tsx";
import { InfraPage } from "../../components/infra/InfraPage.tsx";
import { requireLayer } from "../../lib/features/console/http.ts";
import { readingsOf } from "../../lib/features/infra/mod.ts";
import { VERSION } from "../../lib/platform/config/release.ts";
import { route } from "../../lib/app/state.ts";

/** The health of the deployment and its map, for L1. Board members see one line about it on the dashboard. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    const { organisation } = surface;
    const other = organisation === "foundation" ? "COMMERCIAL_" : "FOUNDATION_";
    const [map, row, work, secrets] = await Promise.all([
      services.infra.map(organisation),
      services.lastHealth(),
      services.storeWork.state(),
      services.secretStates.read(),
    ]);
    const health = row && { ...row, readings: readingsOf(row.readings, organisation) };
    const release = { version: VERSION, revision: services.config.revision };
    const own = row?.process === services.instance;
    const page = (
      <InfraPage
        {...{ map, health, own, work, release }}
        secrets={secrets.filter(({ variable }) => !variable.startsWith(other))}
        now={services.clock()}
      />
    );
    return await renderConsole(ctx, { title: "Infrastructure" }, page);
  },
});
