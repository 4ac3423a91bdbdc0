/** The page and API of the key service: which record a card's key leads to. It names nobody. */
import { page } from "fresh";
import { pageLog } from "../../components/chain/page_log.ts";
import {
  KeyServicePage,
  type KeyServicePageData,
} from "../../components/records/KeyServicePage.tsx";
import { isFromOwnPage, wantsJson, wantsPage } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { type KeyAnswer, keySchema, NOT_A_KEY } from "../../lib/features/records/mod.ts";
import { define, pageHandler, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  onlyReads: true,
  servesJson: true,
  noAuthority: "Anyone may check a key.",
};

const HEADERS = { "cache-control": "no-store", "vary": "Accept, User-Agent" };

/**
 * The key service, the address in a card's QR code: `/k#<key>`. The key is in the fragment, which
 * browsers send to nobody; the page posts it. Programs post `{key}` as JSON and get
 * `{state, hash, level, stated_by, publisher, chain_url, keys_url, verify_url, levels_url}`, or
 * `{state, at}` for a replaced or revoked key.
 */
export const handler = pageHandler<KeyServicePageData>({
  async GET(ctx) {
    if (wantsJson(ctx.req)) throw new RequestError(400, "Post the key as JSON: {key}.");
    const log = await pageLog(ctx.state);
    return page({ answer: null, log }, { headers: { vary: HEADERS.vary } });
  },
  async POST(ctx) {
    const { req, state: { services: { records }, surface, holder } } = ctx;
    const { key } = checkInput(keySchema, await readInput(req));
    const question = { key, clientAddress: clientOf(ctx), surface, holder };
    const fromPage = isFromOwnPage(ctx);
    const answer = unwrap(await records.keyService.lookUp({ ...question, fromPage }));
    if (!wantsPage(req)) return toJson(answer);
    const { state } = answer.report;
    const status = state === "unknown" ? 404 : state === "malformed" ? 400 : 200;
    const log = await pageLog(ctx.state);
    return page({ answer, log }, { status, headers: HEADERS });
  },
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
