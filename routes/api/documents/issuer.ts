import { readIssuer } from "../../../lib/features/api/mod.ts";
import { describeCaller } from "../../../lib/features/issuers/mod.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Describes the issuer and the key of the caller, with which programs check their key. */
export const handler = route({
  GET: serveOperation(readIssuer, ({ state: { services: { config, clock } } }, { caller }) => {
    const { keyRateLimit: rateLimit } = config.issuers;
    return Response.json(describeCaller(caller, { rateLimit, now: clock() }));
  }),
});
