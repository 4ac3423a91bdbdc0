import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import type { RouteProperties } from "../../../lib/app/routes.ts";
import { define, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs", crossSite: "POST" };

/** The organisation's payment provider reports an event. */
export const handler = define.handlers(endpoint<State>({
  async POST({ req, state: { services, surface } }) {
    unwrap(await services.payments.receive(surface.organisation, req));
    return Response.json({ received: true });
  },
}));
