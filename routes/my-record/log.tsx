import { AccessLogPage } from "../../components/records/AccessLog.tsx";
import { endpoint } from "../../lib/http/endpoint.ts";
import { renderWithoutScripts } from "../../lib/http/render.ts";
import { accessCursorSchema, readAccessLog, requireHolder } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const PAGE = 30;

/** The access log of the holder's record, in pages. */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { record } = requireHolder(ctx.state);
    const { kv, clock } = ctx.state.services;
    const cursor = accessCursorSchema.optional().catch(undefined)
      .parse(ctx.url.searchParams.get("cursor") ?? undefined);
    const page = await readAccessLog(kv, record, clock(), { limit: PAGE, cursor });
    return renderWithoutScripts(ctx, <AccessLogPage {...page} first={cursor === undefined} />);
  },
}));
