/** The page, and API, to verify a record's chain of events. */
import { page } from "fresh";
import { keysUrl, VerifyPage, type VerifyPageProps } from "../components/chain/VerifyPage.tsx";
import { pageLog } from "../components/chain/page_log.ts";
import { findHash, KEYS_PATH } from "../packages/proof/mod.ts";
import { locateChain } from "../lib/features/api/mod.ts";
import { NOT_A_HASH, seqSchema } from "../lib/features/chain/mod.ts";
import { wantsPage } from "../lib/platform/http/audience.ts";
import { RequestError } from "../lib/platform/http/errors.ts";
import { serveOperation } from "../lib/app/serve_operation.ts";
import { define, pageHandler, type State } from "../lib/app/state.ts";

const HEADERS = { vary: "Accept, User-Agent" };

/**
 * `GET /verify?hash=<record hash>`, the URL in a receipt's QR code: a page where the visitor's
 * browser verifies the record's chain. Programs get JSON with the URLs of the chain and the keys.
 */
export const handler = pageHandler({
  async GET(ctx) {
    const { url, req, state } = ctx;
    const input = url.searchParams.get("hash") ?? "";
    const hash = findHash(input);
    const log = await pageLog(state);
    const render = (data: Omit<VerifyPageProps, "state" | "log">, status: number) =>
      page({ ...data, log }, { status, headers: HEADERS });
    // The foundation's page also checks the files of other publishers, against their own keys and logs.
    if (!state.surface.serves(KEYS_PATH)) state.policy = readsAnyPublisher(state);
    if (!wantsPage(req)) return await locate(ctx);
    if (hash === undefined) {
      const problem = input.trim() === "" ? undefined : NOT_A_HASH;
      return render({ input, problem, chain: null }, problem ? 400 : 200);
    }
    if (input !== hash) return ctx.redirect(`/verify?hash=${hash}`);
    const before = seqSchema.optional().catch(undefined)
      .parse(url.searchParams.get("before") ?? undefined);
    const chain = await state.services.chains.page(hash, { before });
    return render({ input, hash, chain }, chain === null ? 404 : 200);
  },
});

/** Allows requests to every publisher; in development also to those on this computer, which have no TLS. */
const readsAnyPublisher = ({ services: { config } }: State) => (policy: string) => {
  const local = config.env === "development" ? " http://*.localhost:*" : "";
  return policy.replace("connect-src", `connect-src https:${local}`);
};

const locate = serveOperation(locateChain, async ({ state }, { query: { hash } }) => {
  const { services: { chains, surfaces }, surface } = state;
  if (await chains.head(hash) === null) {
    throw new RequestError(404, "This record has no chain here.");
  }
  return Response.json({
    hash,
    publisher: chains.publisher,
    chain_url: `${surfaces.url("api") ?? surface.baseUrl}/api/chain/${hash}`,
    keys_url: keysUrl(state),
  }, { headers: HEADERS });
});

export default define.page<typeof handler>(({ data, state }) => (
  <VerifyPage {...data} state={state} />
));
