import { ReportPage } from "../../components/console/ReportPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { withPatience } from "../../lib/features/bank/mod.ts";
import { requireLayer } from "../../lib/features/console/http.ts";
import { readBoard } from "../../lib/features/bank/console/dashboard.ts";
import { readCounts } from "../../lib/features/console/dashboard.ts";
import { route } from "../../lib/app/state.ts";

/** The report for board meetings, one page to print, which is the same for both layers. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L2");
    const { services, surface: { organisation }, overview } = ctx.state;
    const [bank, health, counts] = await Promise.all([
      withPatience(
        ctx.url,
        services.schedule,
        async (patience) => ({
          ...await readBoard(services.treasuries[organisation], services.clock(), patience),
          late: patience?.aborted ?? false,
        }),
      ),
      services.infra.health(organisation),
      Promise.resolve(overview).then(() =>
        readCounts(services, organisation, ctx.state.recordOverview)
      ),
    ]);
    const now = new Date(services.clock()).toISOString();
    const { name } = services.config.organisations[organisation];
    return await renderConsole(
      ctx,
      { title: "Treasury report", crumbs: [{ href: "/console", text: "Dashboard" }] },
      <ReportPage organisation={name} {...{ ...bank, health, counts, now }} />,
    );
  },
});
