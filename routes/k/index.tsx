import { page } from "fresh";
import { z } from "zod";
import { KeyServicePage } from "../../components/records/KeyServicePage.tsx";
import { isFromPageOf, wantsJson } from "../../lib/http/audience.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { clientAddress } from "../../lib/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { type KeyAnswer, MAX_KEY_INPUT } from "../../lib/records/mod.ts";
import { define, pageHandler } from "../../lib/state.ts";

const NOT_A_KEY = "A key has 26 letters and digits.";
const input = z.object({ key: z.string(NOT_A_KEY).max(MAX_KEY_INPUT, NOT_A_KEY) });
const STATUSES = { unknown: 404, malformed: 400 } as const;
const HEADERS = { "cache-control": "no-store", "vary": "Accept" };

/**
 * The key service, the address in a card's QR code: `/k#<key>`. The key is in the fragment, which
 * browsers send to nobody; the page posts it. Programs post `{key}` as JSON and get
 * `{state, hash, level, stated_by, publisher, chain_url, keys_url, verify_url, levels_url}`, or
 * `{state, at}` for a replaced or revoked key.
 */
export const handler = pageHandler({
  GET(ctx) {
    if (wantsJson(ctx.req)) throw new RequestError(400, "Post the key as JSON: {key}.");
    return page<KeyAnswer | null>(null, { headers: { vary: "Accept" } });
  },
  async POST(ctx) {
    const { req, info, url, state: { services, surface, holder } } = ctx;
    const { key } = checkInput(input, await readInput(req));
    const answer = unwrap(
      await services.records.keyService.lookUp({
        key,
        clientAddress: clientAddress(req, info, services.config.trustProxy),
        surface,
        holder,
        fromPage: isFromPageOf(req, [url.origin, surface.baseUrl]),
      }),
    );
    if (wantsJson(req)) return toJson(answer);
    const { state } = answer.report;
    const status = state === "unknown" || state === "malformed" ? STATUSES[state] : 200;
    return page<KeyAnswer | null>(answer, { status, headers: HEADERS });
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
  <KeyServicePage answer={data} state={state} />
));
