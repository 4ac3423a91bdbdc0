/** Shows holders who has read or changed their record, and when. */
import { AccessLogPage } from "../../components/records/AccessLog.tsx";
import type { Context } from "fresh";
import { wantsPage, wantsStream } from "../../lib/platform/http/audience.ts";
import { readFeedQuery, serveFeed } from "../../lib/platform/http/feed.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  accessIdSchema,
  logFeed,
  logQuerySchema,
  readAccessLog,
  requireHolder,
} from "../../lib/features/records/mod.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = { servesJson: true };

const PAGE = 30;

/**
 * The access log of the holder's record: a page for people, and for programs a private feed like that
 * of a chain, `{hash, events: [{id, at, what, seq?, detail?, network, browser}], has_more}`, with ids
 * as cursors.
 */
export const handler = route({
  async GET(ctx) {
    const { record } = requireHolder(ctx.state);
    if (!wantsPage(ctx.req) || wantsStream(ctx.req)) return await serveLog(ctx, record);
    const { kv, clock } = ctx.state.services;
    const cursor = accessIdSchema.optional().catch(undefined)
      .parse(ctx.url.searchParams.get("cursor") ?? undefined);
    const page = await readAccessLog(kv, record, clock(), { limit: PAGE, cursor });
    return renderWithoutScripts(ctx, <AccessLogPage {...page} first={cursor === undefined} />);
  },
});

async function serveLog(ctx: Context<State>, record: string): Promise<Response> {
  const { surface, services } = ctx.state;
  const query = readFeedQuery(ctx, logQuerySchema);
  const base = services.surfaces.baseFrom(surface, "trust") ?? surface.baseUrl;
  const feed = logFeed(services, record, { url: `${base}/my-record/log` });
  return await serveFeed(ctx, feed, query);
}
