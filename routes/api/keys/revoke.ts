import { revokeKey } from "../../../lib/features/api/mod.ts";
import { readFoundKeys } from "../../../lib/features/issuers/mod.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Revokes leaked API keys, for whoever has found them, such as a code host. All responses are the same. */
export const handler = route({
  POST: serveOperation(revokeKey, async (ctx) => {
    const { issuerKeys } = ctx.state.services;
    unwrap(await issuerKeys.revokeFound(await readFoundKeys(ctx.req), clientOf(ctx)));
    return Response.json({ revoked: true }, { headers: { "cache-control": "no-store" } });
  }),
});
