import { consoleAccess } from "../../lib/middlewares/console_access.tsx";
import { layerOf } from "../../lib/console/mod.ts";
import { define } from "../../lib/state.ts";

export const handler = define.middleware([
  (ctx) => {
    ctx.state.bare = true; // the pages have their own frame
    return ctx.next();
  },
  async (ctx) => {
    const { session, services, surface } = ctx.state;
    if (session !== null && layerOf(session.email, services.config.ops) === "L1") {
      const { organisation } = surface;
      const [unread, totals] = await Promise.all([
        services.alerts.countUnread(organisation),
        services.records.totals(organisation),
      ]);
      ctx.state.unreadAlerts = unread;
      ctx.state.recordTotals = totals;
    }
    return await ctx.next();
  },
  consoleAccess(),
]);
