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
      ctx.state.unreadAlerts = await services.alerts.countUnread(surface.organisation);
    }
    return await ctx.next();
  },
  consoleAccess(),
]);
