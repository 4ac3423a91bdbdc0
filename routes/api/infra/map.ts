import { requireLayer } from "../../../lib/features/console/http.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** `GET /api/infra/map`, for L1 (spec 4.7). */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    return ctx.json(await services.infra.map(surface.organisation));
  },
});
