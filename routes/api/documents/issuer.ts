import { readIssuer } from "../../../lib/features/api/mod.ts";
import { describeCaller } from "../../../lib/features/issuers/mod.ts";
import { ISSUER_API, route, withKey } from "../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Describes the issuer and the key of the caller, with which programs check their key. */
export const handler = route({
  GET: withKey(readIssuer, ({ state: { services: { config, clock } } }, caller) => {
    const { keyRateLimit: rateLimit } = config.issuers;
    return Response.json(describeCaller(caller, { rateLimit, now: clock() }));
  }),
});
