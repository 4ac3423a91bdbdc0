import { transactionQuery } from "../../../lib/features/bank/mod.ts";
import { requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import { checkInput } from "../../../lib/platform/http/body.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/** The statuses of failures that the bank does not cause. */
const STATUSES: Record<string, 400 | 404 | undefined> = { not_found: 404, too_many: 400 };

/**
 * `GET /api/bank/transactions`, for L1 on the commercial console (spec 4.1). Like the summary, it
 * returns the fallback body with 200 while the bank is not connected.
 */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const query = checkInput(transactionQuery, Object.fromEntries(ctx.url.searchParams));
    const result = await treasuryOf(ctx.state).transactions(query);
    if (!result.ok && result.fallback !== undefined) return ctx.json(result.fallback);
    return ctx.json(unwrap(result, result.ok ? undefined : STATUSES[result.error] ?? 502).page);
  },
});
