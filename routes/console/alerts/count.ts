import { requireLayer } from "../../../lib/features/console/access.ts";
import { route } from "../../../lib/app/state.ts";

/** The number of unread alerts, for the count in the sidebar. */
export const handler = route({
  GET({ state }) {
    requireLayer(state, "L1");
    return Response.json({ unread: state.unreadAlerts });
  },
});
