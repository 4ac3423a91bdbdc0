import { requireLayer } from "../../../lib/features/console/access.ts";
import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../../lib/app/state.ts";

/** The number of unread alerts, for the count in the sidebar. */
export const handler = define.handlers(endpoint<State>({
  GET({ state }) {
    requireLayer(state, "L1");
    return Response.json({ unread: state.unreadAlerts });
  },
}));
