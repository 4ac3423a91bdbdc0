import { LogPage } from "../../components/log/LogPage.tsx";
import { readDays, readStatus } from "../../lib/features/log/mod.ts";
import { define } from "../../lib/app/state.ts";

/** How many days the chart shows. */
const DAYS = 30;

export default define.page(async ({ state }) => {
  const { kv, clock, publicLog, logFiles } = state.services;
  const [status, days] = await Promise.all([
    readStatus(kv, publicLog),
    readDays(kv, clock(), DAYS),
  ]);
  return <LogPage state={state} status={status} days={days} url={logFiles.url} />;
});
