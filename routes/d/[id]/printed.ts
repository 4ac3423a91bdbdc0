import { RequestError } from "../../../lib/platform/http/errors.ts";
import { countPrint, openFor } from "../../../lib/features/documents/mod.ts";
import { route, type RouteProperties } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "Only for the script of our own page.",
  noAuthority: "Anyone may compare a printed document.",
};

/** The page that shows a document posts here when its Print button is used. */
export const handler = route({
  async POST(ctx) {
    const found = await openFor(ctx, ctx.params.id);
    if (found === null) throw new RequestError(404);
    await countPrint(ctx, found.opened, found.visitor);
    return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  },
});
