/** The first page of the console: figures, open alerts and what waits for somebody. */
import { Dashboard } from "../../components/console/Dashboard.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { withPatience } from "../../lib/features/bank/mod.ts";
import { requireLayer } from "../../lib/features/console/http.ts";
import { readBank } from "../../lib/features/bank/console/dashboard.ts";
import { readCounts, waitingOf } from "../../lib/features/console/dashboard.ts";
import { readLists } from "../../components/console/dashboard_lists.ts";
import { route, type State } from "../../lib/app/state.ts";

/** The console's dashboard, for both layers (spec 4.2.1). */
export const handler = route({
  async GET(ctx) {
    const { layer } = requireLayer(ctx.state, "L2");
    const { services, surface } = ctx.state;
    const [bank, health, unprotected, { counts, lists, waiting }] = await Promise.all([
      withPatience(
        ctx.url,
        services.schedule,
        (patience) => readBank(services, surface.organisation, layer, patience),
      ),
      services.infra.health(surface.organisation),
      layer === "L1" ? services.operatorPasskeys.unprotected(surface) : null,
      readRecords(ctx.state),
    ]);
    const now = new Date(services.clock()).toISOString();
    const healthPath = layer === "L1" ? "/console/infra" : null;
    return await renderConsole(
      ctx,
      { title: "Dashboard" },
      <Dashboard {...{ ...bank, health, healthPath, counts, lists, waiting, unprotected, now }} />,
    );
  },
});

/** Reads the numbers of records and, for full administrators, the lists and what waits. */
async function readRecords(state: State) {
  await state.overview;
  const { services, surface: { organisation }, openAlerts, recordOverview, inboxCounts } = state;
  const [counts, lists] = await Promise.all([
    readCounts(services, organisation, recordOverview),
    recordOverview === null
      ? null
      : readLists(services, organisation, { alerts: openAlerts, records: recordOverview }),
  ]);
  const waiting = inboxCounts && waitingOf(inboxCounts, state.openAlertKinds);
  return { counts, lists, waiting };
}
