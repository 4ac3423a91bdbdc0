import { canonicalHash } from "../../../../packages/proof/mod.ts";
import { readChainLog } from "../../../../lib/features/api/mod.ts";
import { chainLogPage } from "../../../../lib/features/log/mod.ts";
import { unwrap } from "../../../../lib/platform/http/errors.ts";
import { cacheable, jsonContent } from "../../../../lib/platform/http/etag.ts";
import { serveOperation } from "../../../../lib/app/serve_operation.ts";
import { route } from "../../../../lib/app/state.ts";

/** Returns where the sizes of a chain are in the public log, and the salt that opens their entries. */
export const handler = route({
  GET: serveOperation(readChainLog, async (ctx, { query }) => {
    const { kv, logFiles } = ctx.state.services;
    const hash = canonicalHash(ctx.params.hash);
    const log = { url: logFiles.url, policy: await logFiles.policy() };
    const { page } = unwrap(await chainLogPage(kv, hash, query, log));
    return await cacheable(ctx.req, jsonContent(page), { "cache-control": "public, no-cache" });
  }),
});
