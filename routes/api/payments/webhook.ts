import { receivePaymentEvent } from "../../../lib/features/payments/http.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "POST",
  noAuthority: "The signature of the provider decides.",
};

/** The organisation's payment provider reports an event. */
export const handler = route({
  async POST({ req, state }) {
    unwrap(await receivePaymentEvent(state, req));
    return Response.json({ received: true });
  },
});
