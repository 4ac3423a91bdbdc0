import { page } from "fresh";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import { RecordListPage } from "../../../components/console/RecordsPages.tsx";
import { requireLayer } from "../../../lib/console/access.ts";
import { define, pageHandler } from "../../../lib/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L1");
    const { services, surface } = ctx.state;
    const after = ctx.url.searchParams.get("after") ?? undefined;
    const list = await services.records.list(surface.organisation, { after });
    return page({ operator, list });
  },
});

/** The records of the console's organisation, for full administrators. */
export default define.page<typeof handler>(({ data: { operator, list }, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Records">
    <RecordListPage list={list} />
  </ConsoleFrame>
));
