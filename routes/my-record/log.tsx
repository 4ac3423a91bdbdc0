/** Shows holders who has read or changed their record, and when. */
import { AccessLogPage } from "../../components/records/AccessLog.tsx";
import { readAccessLog } from "../../lib/features/api/mod.ts";
import { wantsPage, wantsStream } from "../../lib/platform/http/audience.ts";
import { serveFeed } from "../../lib/platform/http/feed.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  accessIdSchema,
  logFeed,
  readAccessLog as readEntries,
  requireHolder,
} from "../../lib/features/records/mod.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { route } from "../../lib/app/state.ts";

const PAGE = 30;

/**
 * The access log of the holder's record: a page for people, and for programs a private feed like that of a chain.
 */
export const handler = route({
  async GET(ctx) {
    if (!wantsPage(ctx.req) || wantsStream(ctx.req)) return await serveLog(ctx);
    const { record } = requireHolder(ctx.state);
    const { kv, clock } = ctx.state.services;
    const cursor = accessIdSchema.optional().catch(undefined)
      .parse(ctx.url.searchParams.get("cursor") ?? undefined);
    const page = await readEntries(kv, record, clock(), { limit: PAGE, cursor });
    return renderWithoutScripts(ctx, <AccessLogPage {...page} first={cursor === undefined} />);
  },
});

const serveLog = serveOperation(readAccessLog, async (ctx, { holder: { record }, query }) => {
  const { surface, services } = ctx.state;
  const base = services.surfaces.baseFrom(surface, "trust") ?? surface.baseUrl;
  const feed = logFeed(services, record, { url: `${base}/my-record/log` });
  return await serveFeed(ctx, feed, query);
});
