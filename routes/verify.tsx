import { page } from "fresh";
import { hashIn } from "../components/verify/hash_input.ts";
import { VerifyPage, type VerifyPageProps } from "../components/verify/VerifyPage.tsx";
import { wantsJson } from "../lib/http/audience.ts";
import { RequestError } from "../lib/http/errors.ts";
import { define, type State } from "../lib/state.ts";

const NOT_A_HASH = "A record's hash has 64 hexadecimal digits.";
const NO_CHAIN = "There is no chain of this record here.";
const HEADERS = { vary: "Accept" };

/**
 * `/verify?hash=<record hash>`, the address that a receipt's QR code holds: a page on which the
 * visitor's browser verifies the record's chain. For programs, as JSON, where the chain is and whose:
 * `{hash, publisher, chain_url, keys_url}`.
 */
export const handler = define.handlers({
  async GET(ctx) {
    const { url, state: { services } } = ctx;
    const given = url.searchParams.get("hash") ?? "";
    const hash = hashIn(given);
    if (wantsJson(ctx.req)) {
      return Response.json(await described(ctx.state, hash), { headers: HEADERS });
    }
    if (hash === undefined) {
      const problem = given.trim() === "" ? undefined : NOT_A_HASH;
      return answer({ given, problem, chain: null }, problem ? 400 : 200);
    }
    if (given !== hash) return ctx.redirect(`/verify?hash=${hash}`);
    const chain = await services.chains.page(hash, { before: seqIn(url) });
    return answer({ given, hash, chain }, chain === null ? 404 : 200);
  },
});

const answer = (props: Omit<VerifyPageProps, "state">, status: number) =>
  page(props, { status, headers: HEADERS });

/** A page of older events, for visitors without scripts. */
function seqIn({ searchParams }: URL): number | undefined {
  const before = searchParams.get("before") ?? "";
  return /^\d{1,15}$/.test(before) ? Number(before) : undefined;
}

async function described({ services, surface }: State, hash: string | undefined) {
  if (hash === undefined) throw new RequestError(400, NOT_A_HASH, { issues: { hash: NOT_A_HASH } });
  const { chains, surfaces } = services;
  if (await chains.head(hash) === null) throw new RequestError(404, NO_CHAIN);
  return {
    hash,
    publisher: chains.publisher,
    chain_url: `${surfaces.url("api") ?? surface.baseUrl}/api/chain/${hash}`,
    keys_url: `${surface.baseUrl}/.well-known/chain-keys.json`,
  };
}

export default define.page<typeof handler>(({ data, state }) => (
  <VerifyPage {...data} state={state} />
));
