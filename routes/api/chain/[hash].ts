/** The public API for the events of a record's chain, in pages or as a stream. */
import { canonicalHash } from "../../../packages/proof/mod.ts";
import { chainFeed, pageQuerySchema } from "../../../lib/features/chain/mod.ts";
import { wantsStream } from "../../../lib/platform/http/audience.ts";
import { PUBLIC, withCors } from "../../../lib/platform/http/cors.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { readFeedQuery, serveFeed } from "../../../lib/platform/http/feed.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "both" };

/**
 * Returns a page of a chain, `{hash, head, events: [{seq, kind, at, status, prev, hash}], has_more,
 * log_proof}`, with the events in ascending order of `seq`. `?before=<seq>` pages backward,
 * `?after=<seq>` forward; `&limit=` is 1 to 100. With `&tip=<hash of the event at after>`, the
 * response is 409 `chain_rewritten` if the chain has another event there. `&log_size=` asks for a proof
 * against a newer checkpoint of the public log.
 *
 * For `Accept: text/event-stream`, it streams the events that follow `after` or `Last-Event-ID`.
 *
 * Pages of any origin may read it, because a verifier must not depend on our pages.
 */
export const handler = withCors<State>(
  () => ({
    ...PUBLIC,
    requestHeaders: ["if-none-match", "last-event-id"],
    responseHeaders: ["ETag", "Link", "Retry-After"],
  }),
  route({
    async GET(ctx) {
      const { surface, services: { chains, logProofs, surfaces } } = ctx.state;
      const query = readFeedQuery(ctx, pageQuerySchema);
      const base = surfaces.baseFrom(surface, "api") ?? surface.baseUrl;
      const hash = canonicalHash(ctx.params.hash);
      const feed = unwrap(
        await chainFeed(
          chains,
          hash,
          `${base}/api/chain/${encodeURIComponent(hash)}`,
          wantsStream(ctx.req) ? undefined : logProofs.source(hash, query.log_size),
        ),
      );
      return await serveFeed(ctx, feed, query);
    },
  }),
);
