import { readFoundKeys } from "../../../lib/features/issuers/mod.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "all",
  anonymous: true,
  noAuthority: "Whoever has an API key may revoke it.",
};

/** Revokes leaked API keys, for whoever has found them, such as a code host. All responses are the same. */
export const handler = route({
  async POST(ctx) {
    const { issuerKeys } = ctx.state.services;
    unwrap(await issuerKeys.revokeFound(await readFoundKeys(ctx.req), clientOf(ctx)));
    return Response.json({ revoked: true }, { headers: { "cache-control": "no-store" } });
  },
});
