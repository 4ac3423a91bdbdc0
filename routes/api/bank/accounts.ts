import { requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** `GET /api/bank/accounts`, for L1 (spec 2.4, 4.1). */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    return ctx.json(await treasuryOf(ctx.state).accounts());
  },
});
