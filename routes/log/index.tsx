import { page } from "fresh";
import { LogPage } from "../../components/log/LogPage.tsx";
import { type DayCount, type LogStatus, readDays, readStatus } from "../../lib/features/log/mod.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

/** How many days the chart shows. */
const DAYS = 30;

export const handler = pageHandler<{ status: LogStatus; days: DayCount[] }>({
  async GET({ state: { services: { kv, clock, publicLog } } }) {
    const [status, days] = await Promise.all([
      readStatus(kv, publicLog),
      readDays(kv, clock(), DAYS),
    ]);
    return page({ status, days }, { headers: { "cache-control": "no-store" } });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <LogPage state={state} {...data} url={state.services.logFiles.url} />
));
