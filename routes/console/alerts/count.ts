import { requireLayer } from "../../../lib/features/console/http.ts";
import { route } from "../../../lib/app/state.ts";

/** The numbers of unread alerts and of new enquiries, for the counts in the sidebar. */
export const handler = route({
  async GET({ state }) {
    requireLayer(state, "L1");
    await state.overview;
    return Response.json({
      unread: state.unreadAlerts,
      enquiries: state.inboxCounts?.new ?? 0,
    });
  },
});
