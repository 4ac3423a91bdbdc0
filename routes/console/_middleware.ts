import { consoleAccess } from "../../lib/app/middlewares/console_access.tsx";
import { define, type State } from "../../lib/app/state.ts";

export const handler = define.middleware([
  (ctx) => {
    ctx.state.bare = true; // the pages have their own frame
    return ctx.next();
  },
  async (ctx) => {
    const { layer, gate } = ctx.state;
    if (layer === "L1" && (gate.used || !gate.required)) {
      ctx.state.overview = readOverview(ctx.state);
      ctx.state.overview.catch(() => {}); // in case the page fails earlier
    }
    return await ctx.next();
  },
  consoleAccess(),
]);

async function readOverview(state: State): Promise<void> {
  const { services, surface: { organisation } } = state;
  // Called together, so that one read has the keys of all three.
  const [{ unread, open, kinds }, records, enquiries] = await Promise.all([
    services.alerts.overview(organisation),
    services.records.overview(organisation),
    services.inbox.counts(organisation),
  ]);
  state.unreadAlerts = unread;
  state.openAlerts = open;
  state.openAlertKinds = kinds;
  state.recordOverview = records;
  state.inboxCounts = enquiries;
}
