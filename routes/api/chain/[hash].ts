import { pageQuerySchema, pageTag } from "../../../lib/chain/store/mod.ts";
import { formCors } from "../../../lib/contact/mod.ts";
import { checkInput } from "../../../lib/http/body.ts";
import { withCors } from "../../../lib/http/cors.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { isNotModified } from "../../../lib/http/etag.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Returns a page of a chain, `{hash, head, events: [{seq, kind, at, status, prev, hash}]}`, with
 * the events in ascending order of `seq`. `?before=<seq>` pages backward, `?after=<seq>` forward;
 * `&limit=` is 1 to 100.
 */
export const handler = define.handlers(withCors<State>(
  formCors("GET", "HEAD"),
  endpoint<State>({
    async GET({ req, url, params: { hash }, state: { services: { chains } } }) {
      const query = checkInput(pageQuerySchema, Object.fromEntries(url.searchParams));
      const head = await chains.head(hash);
      if (head !== null) {
        const etag = await pageTag(head, query);
        if (isNotModified(req, etag)) {
          return new Response(null, { status: 304, headers: cacheHeaders(etag) });
        }
      }
      const page = head && await chains.page(hash, query);
      if (page === null) throw new RequestError(404, "This record has no chain here.");
      return Response.json(page, { headers: cacheHeaders(await pageTag(page.head, query)) });
    },
  }),
));

// A chain is public, but caches must revalidate because it can grow.
const cacheHeaders = (etag: string) => ({ etag, "cache-control": "public, no-cache" });
