import type { Context } from "fresh";
import { isUnchanged, pageTag, readPageQuery } from "../../../lib/chain/store/page_request.ts";
import { withCors } from "../../../lib/http/cors.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * A page of a chain: `{hash, head, events: [{seq, kind, at, status, prev, hash}]}`, events ascending
 * by `seq`. `?before=<seq>` leads backward, `?after=<seq>` forward, `&limit=` from 1 to 100. An
 * address that is no record's hash has no chain either: 404.
 */
export const handler = define.handlers(withCors<State>(
  ({ state: { services } }) => ({
    isAllowed: (origin) =>
      services.surfaces.isOwnOrigin(origin) || services.config.contact.origins.includes(origin),
    methods: ["GET", "HEAD"],
  }),
  endpoint<State>({ GET: answer }),
));

async function answer({ req, url, params: { hash }, state }: Context<State>): Promise<Response> {
  const { chains } = state.services;
  const query = readPageQuery(url);
  const head = await chains.head(hash);
  if (head !== null) {
    const etag = await pageTag(head, query);
    if (isUnchanged(req, etag)) {
      return new Response(null, { status: 304, headers: headersOf(etag) });
    }
  }
  const page = head && await chains.page(hash, query);
  if (page === null) throw new RequestError(404, "There is no chain of this record.");
  return Response.json(page, { headers: headersOf(await pageTag(page.head, query)) });
}

// The state of a chain is public, but a cache must ask whether it has grown.
const headersOf = (etag: string) => ({ etag, "cache-control": "public, no-cache" });
