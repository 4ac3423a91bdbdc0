import { type Context, page } from "fresh";
import { z } from "zod";
import { CheckPage, type CheckPageProps } from "../../components/documents/CheckPage.tsx";
import { anyone, type CheckQuestion, findSha256, viewerOf } from "../../lib/documents/mod.ts";
import { isFromPageOf, wantsJson } from "../../lib/http/audience.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { clientAddress } from "../../lib/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { cacheableJson } from "../../lib/http/etag.ts";
import { define, pageHandler, type State } from "../../lib/state.ts";

const NOT_A_HASH = "Send a SHA-256 hash: 64 hexadecimal digits.";
const input = z.object({
  sha256: z.string(NOT_A_HASH).regex(/^[\da-f]{64}$/i, NOT_A_HASH).toLowerCase(),
});
const HEADERS = { vary: "Accept" };
const NO_STORE = { "cache-control": "no-store" };

/**
 * Reports whether a file is a registered document, by its SHA-256 hash. `GET /check?sha256=<hash>` is
 * a page, or JSON for programs: `{state, sha256, matches}`. The JSON does not depend on the session.
 * The page posts the hash of a file that the browser has, and also gets nonces for `/check/verified`.
 */
export const handler = pageHandler<CheckPageProps>({
  async GET(ctx) {
    const { url, req } = ctx;
    const text = url.searchParams.get("sha256") ?? "";
    if (wantsJson(req)) {
      const { sha256 } = checkInput(input, { sha256: text });
      const { report } = unwrap(
        await lookUp(ctx, { sha256, viewerOf: anyone }),
      );
      const response = await cacheableJson(req, report, "public, no-cache");
      response.headers.set("vary", "Accept");
      return response;
    }
    if (text.trim() === "") return page({ text, result: null }, { headers: HEADERS });
    const found = findSha256(text);
    if (!found.ok) {
      return page({ text, problem: found.message, result: null }, {
        status: 400,
        headers: HEADERS,
      });
    }
    if (text !== found.sha256) return ctx.redirect(`/check?sha256=${found.sha256}`);
    const result = await lookUp(ctx, { sha256: text, viewerOf: viewerOf(ctx) });
    const headers = { ...HEADERS, ...NO_STORE };
    return result.ok
      ? page({ text, result: { report: result.report } }, { headers })
      : page({ text, result: { failure: result.message! } }, {
        status: 429,
        headers: { ...headers, "retry-after": String(result.retryAfterSeconds) },
      });
  },
  async POST(ctx) {
    const { req, url, state } = ctx;
    if (!isFromPageOf(req, [url.origin, state.surface.baseUrl])) throw new RequestError(403);
    const { sha256 } = checkInput(input, await readInput(req));
    const question = { sha256, viewerOf: viewerOf(ctx), fromPage: true };
    const { report, nonces } = unwrap(await lookUp(ctx, question));
    return Response.json({ report, nonces }, { headers: NO_STORE });
  },
});

const lookUp = (
  { req, info, state: { services: { checks, config } } }: Context<State>,
  question: Pick<CheckQuestion, "sha256" | "viewerOf" | "fromPage">,
) => checks.lookUp({ ...question, clientAddress: clientAddress(req, info, config.trustProxy) });

export default define.page<typeof handler>(({ data, state }) => (
  <CheckPage {...data} state={state} />
));
