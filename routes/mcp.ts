import { clientOf } from "../lib/platform/http/client_address.ts";
import { RequestError } from "../lib/platform/http/errors.ts";
import { define, type RouteProperties } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  audience: "programs",
  crossSite: "all",
  onlyReads: true,
  minimalHeaders: "POST",
  notInOpenApi: "The Model Context Protocol describes its own tools.",
  noAuthority: "Anyone may use it. It demands the token that it gets.",
};

/** Serves MCP for the surface's organisation (spec 4.4), to everyone and to holders of tokens. */
export const handler = define.handlers((ctx) => {
  const { services, surface, actor } = ctx.state;
  const address = clientOf(ctx);
  const protection = services.tokens.protectionOf(
    surface,
    actor,
    () => new RequestError(401),
  );
  return services.mcp[surface.organisation].handle(ctx.req, address, protection);
});
