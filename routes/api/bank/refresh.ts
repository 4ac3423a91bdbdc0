import { requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import { withResult } from "../../../lib/platform/http/action_result.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { isPageForm } from "../../../lib/app/middlewares/console_access.tsx";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * `POST /api/bank/refresh`, for L1 (spec 4.1): refetches the cached data. The finance page's form
 * is redirected back to the page, with the result in the query.
 */
export const handler = route({
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services: { audit }, surface: { organisation } } = ctx.state;
    const result = await treasuryOf(ctx.state).refresh();
    const detail = result.ok ? null : `failed: ${result.error}`;
    await audit.add({ organisation, by, action: "bank_refreshed", detail });
    if (isPageForm(ctx.req)) {
      const { services } = ctx.state;
      const shown = result.ok
        ? await withResult(services, by, "/console/finance", "refreshed")
        : await withResult(services, by, "/console/finance", "refresh_failed", result.error);
      return ctx.redirect(shown, 303);
    }
    const { cached_at } = unwrap(result, 502);
    return ctx.json({ refreshed: true, cached_at });
  },
});
