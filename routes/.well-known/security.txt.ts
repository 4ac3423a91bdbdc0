import { route, type RouteProperties } from "../../lib/app/state.ts";
import { securityTxt } from "../../lib/platform/surfaces/mod.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "A text for people and scanners (RFC 9116).",
};

/** Says how to report a vulnerability (RFC 9116). */
export const handler = route({
  GET({ state: { surface, services: { clock, config, surfaces } } }) {
    const { contactEmail } = config.organisations[surface.organisation];
    const policy = surfaces.url("commercial", "/security");
    return new Response(securityTxt({ surface, contactEmail, policy, now: clock() }), {
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  },
});
