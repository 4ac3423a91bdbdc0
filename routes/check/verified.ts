import { z } from "zod";
import { checkerOf } from "../../lib/features/documents/mod.ts";
import { isFromOwnPage } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "Only for the script of our own page, with a nonce from it.",
  noAuthority: "Anyone may check a document.",
};

const hash = z.string("Send 64 hexadecimal digits.").regex(/^[\da-f]{64}$/);
const input = z.object({
  nonce: z.string("Send the page's nonce.").max(100),
  sha256: hash,
  proof: hash,
});

/**
 * The page `/check` posts here that a file matches, with a proof that its browser has the file:
 * SHA-256 of the nonce followed by the file. Returns `{event}`, or `{event: null, suppressed}`.
 */
export const handler = route({
  async POST(ctx) {
    const { req, state: { services: { checks }, holder } } = ctx;
    if (!isFromOwnPage(ctx)) throw new RequestError(403);
    const { visit } = unwrap(
      await checks.prove(checkInput(input, await readInput(req)), {
        request: req,
        clientAddress: clientOf(ctx),
        holder,
        checker: checkerOf(ctx),
      }),
    );
    return Response.json(visit, { headers: { "cache-control": "no-store" } });
  },
});
