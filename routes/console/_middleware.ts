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
      // Called together, so that one read has the keys of both.
      const [{ unread, open }, records] = await Promise.all([
        services.alerts.overview(organisation),
        services.records.overview(organisation),
      ]);
      ctx.state.unreadAlerts = unread;
      ctx.state.openAlerts = open;
      ctx.state.recordOverview = records;
    }
    return await ctx.next();
  },
  consoleAccess(),
]);
