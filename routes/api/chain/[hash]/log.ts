import { canonicalHash } from "../../../../packages/proof/mod.ts";
import { chainLogQuerySchema, readChainLog } from "../../../../lib/features/log/mod.ts";
import { PUBLIC, withCors } from "../../../../lib/platform/http/cors.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { cacheable, jsonContent } from "../../../../lib/platform/http/etag.ts";
import { readFeedQuery } from "../../../../lib/platform/http/feed.ts";
import { route, type RouteProperties, type State } from "../../../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/**
 * Returns where the sizes of a chain are in the public log, and the salt that opens their entries:
 * `{hash, log, policy, log_salt, size, entries: [{size, index}], has_more}`. `?after=<size>` continues, and
 * `&limit=` is 1 to 100.
 */
export const handler = withCors<State>(
  () => ({
    ...PUBLIC,
    requestHeaders: ["if-none-match"],
    responseHeaders: ["ETag"],
  }),
  route({
    async GET(ctx) {
      const { kv, logFiles } = ctx.state.services;
      const hash = canonicalHash(ctx.params.hash);
      const query = readFeedQuery(ctx, chainLogQuerySchema);
      const log = { url: logFiles.url, policy: await logFiles.policy() };
      const { page } = unwrap(await readChainLog(kv, hash, query, log));
      return await cacheable(ctx.req, jsonContent(page), { "cache-control": "public, no-cache" });
    },
  }),
);
