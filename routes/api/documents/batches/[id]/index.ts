import { readBatch } from "../../../../../lib/features/api/mod.ts";
import { wantsStream } from "../../../../../lib/platform/http/audience.ts";
import { unwrap } from "../../../../../lib/platform/http/errors.ts";
import { cacheable, jsonContent } from "../../../../../lib/platform/http/etag.ts";
import { openStream } from "../../../../../lib/platform/http/feed.ts";
import { readHeader } from "../../../../../lib/platform/http/header.ts";
import { serveOperation } from "../../../../../lib/app/serve_operation.ts";
import { route } from "../../../../../lib/app/state.ts";

/** Returns a batch with its progress, or for `Accept: text/event-stream` a stream of it. */
export const handler = route({
  GET: serveOperation(readBatch, async (ctx, { caller }) => {
    const { req, params: { id }, state: { services } } = ctx;
    const { batchApi } = services;
    const { batch } = unwrap(await batchApi.read(caller, id));
    if (!wantsStream(req)) return await cacheable(req, jsonContent(batch), { vary: "Accept" });
    const source = batchApi.source(caller, id);
    return openStream(ctx, source, readHeader(req, "last-event-id") ?? "", "Accept");
  }),
});
