/** The public API for the events of a record's chain, in pages or as a stream. */
import { canonicalHash } from "../../../packages/proof/mod.ts";
import { readChain } from "../../../lib/features/api/mod.ts";
import { chainFeed } from "../../../lib/features/chain/mod.ts";
import { wantsStream } from "../../../lib/platform/http/audience.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { serveFeed } from "../../../lib/platform/http/feed.ts";
import { serveOperation } from "../../../lib/app/serve_operation.ts";
import { route } from "../../../lib/app/state.ts";

/** Returns a page of a chain, or a stream. Pages of any origin may read it, because a verifier must not depend on ours. */
export const handler = route({
  GET: serveOperation(readChain, async (ctx, { query }) => {
    const { surface, services: { chains, logProofs, surfaces } } = ctx.state;
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
  }),
});
