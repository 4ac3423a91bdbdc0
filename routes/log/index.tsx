import { page } from "fresh";
import { LogPage, type LogPageData } from "../../components/log/LogPage.tsx";
import { firstPublished, readDays, readStatus } from "../../lib/features/log/mod.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

/** How many days the chart shows. */
const DAYS = 30;

export const handler = pageHandler<LogPageData>({
  async GET({ state: { services: { kv, clock, publicLog, logFiles } } }) {
    const now = clock();
    const [status, keys, previous, days] = await Promise.all([
      readStatus(kv, publicLog),
      logFiles.keys(),
      logFiles.previous(),
      readDays(kv, now, DAYS),
    ]);
    const completeSince = await firstPublished(kv, status.completeFrom);
    const data = {
      ...{ status, completeSince, keys, days, now },
      hasPrevious: previous !== null,
      url: logFiles.url,
    };
    return page(data, { headers: { "cache-control": "no-store" } });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <LogPage
    state={state}
    {...data}
  />
));
