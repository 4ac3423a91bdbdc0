import { RequestError } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  notInOpenApi: "A document of the Model Context Protocol's registries, in their formats.",
};

/** Proves to the MCP registry that the organisation owns this domain, if its key is configured. */
export const handler = route({
  GET({ state: { services, surface } }) {
    const { registryKey } = services.config.organisations[surface.organisation];
    if (registryKey === undefined) throw new RequestError(404);
    return new Response(`v=MCPv1; k=ed25519; p=${registryKey}\n`, {
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  },
});
