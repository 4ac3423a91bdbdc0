/** The page and API of the key service: which record a card's key leads to. It names nobody. */
import { page } from "fresh";
import { pageLog } from "../../components/chain/page_log.ts";
import {
  KeyServicePage,
  type KeyServicePageData,
} from "../../components/records/KeyServicePage.tsx";
import { checkKey } from "../../lib/features/api/mod.ts";
import { isFromOwnPage, wantsJson, wantsPage } from "../../lib/platform/http/audience.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { type KeyAnswer, NOT_A_KEY } from "../../lib/features/records/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

const HEADERS = { "cache-control": "no-store", "vary": "Accept, User-Agent" };

/**
 * The key service, the address in a card's QR code: `/k#<key>`. The key is in the fragment, which
 * browsers send to nobody; the page posts it. Programs post it as JSON.
 */
export const handler = pageHandler<KeyServicePageData>({
  async GET(ctx) {
    if (wantsJson(ctx.req)) throw new RequestError(400, "Post the key as JSON: {key}.");
    const log = await pageLog(ctx.state);
    return page({ answer: null, log }, { headers: { vary: HEADERS.vary } });
  },
  POST: serveOperation(checkKey, async (ctx, { body }) => {
    const { req, state: { services: { records }, surface, holder } } = ctx;
    const { key } = await body();
    const question = { key, clientAddress: clientOf(ctx), surface, holder };
    const fromPage = isFromOwnPage(ctx);
    const answer = unwrap(await records.keyService.lookUp({ ...question, fromPage }));
    if (!wantsPage(req)) return toJson(answer);
    const { state } = answer.report;
    const status = state === "unknown" ? 404 : state === "malformed" ? 400 : 200;
    const log = await pageLog(ctx.state);
    return page({ answer, log }, { status, headers: HEADERS });
  }),
});

function toJson({ report, nonce, own }: KeyAnswer): Response {
  if (report.state === "unknown") throw new RequestError(404, "This key is not known here.");
  if (report.state === "malformed") {
    throw new RequestError(400, NOT_A_KEY, { issues: { key: NOT_A_KEY } });
  }
  const forPage = { ...nonce === null ? {} : { nonce }, ...own ? { own } : {} };
  return Response.json({ ...report, ...forPage }, { headers: HEADERS });
}

export default define.page<typeof handler>(({ data, state }) => (
  <KeyServicePage {...data} state={state} />
));
