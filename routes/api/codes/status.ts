import { HttpError } from "fresh";
import { readTwilioRequest } from "../../../lib/features/codes/http.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "all",
  notInOpenApi: "A callback of the provider of codes, with its signature.",
  noAuthority: "The signature of the provider decides.",
};

/** Twilio reports the delivery of a code. */
export const handler = route({
  async POST(ctx) {
    const { callbacks } = ctx.state.services.phone;
    if (callbacks === null) throw new HttpError(404);
    unwrap(await callbacks.status(await readTwilioRequest(ctx.req)));
    return new Response(null, { status: 204 });
  },
});
