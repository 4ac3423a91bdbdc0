import { z } from "zod";
import { isFromOwnPage } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "Only for the script of our own page, with a nonce from it.",
  noAuthority: "Anyone may check a key.",
};

const input = z.object({ nonce: z.string("Send the page's nonce.").max(100) });

/**
 * The page `/k` posts here once its browser has verified the record's chain. Returns the event that
 * was appended, `{event}`, or why there is none: `{event: null, suppressed}`.
 */
export const handler = route({
  async POST(ctx) {
    const { req, state: { services, holder } } = ctx;
    if (!isFromOwnPage(ctx)) throw new RequestError(403);
    const { nonce } = checkInput(input, await readInput(req));
    const { visit } = unwrap(
      await services.records.keyService.reportVerified(nonce, {
        request: req,
        clientAddress: clientOf(ctx),
        holder,
      }),
    );
    return Response.json(visit, { headers: { "cache-control": "no-store" } });
  },
});
