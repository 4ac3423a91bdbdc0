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

/** Twilio asks what to say after a key was pressed in a call. */
export const handler = route({
  async POST(ctx) {
    const { callbacks } = ctx.state.services.phone;
    if (callbacks === null) throw new HttpError(404);
    const { twiml } = unwrap(await callbacks.voice(await readTwilioRequest(ctx.req)));
    const headers = { "content-type": "text/xml; charset=utf-8", "cache-control": "no-store" };
    return new Response(twiml, { headers });
  },
});
