import { requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** `GET /api/bank/summary`, for L1 and L2 (spec 2.3, 4.1). */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L2");
    return ctx.json(await treasuryOf(ctx.state).summary());
  },
});
