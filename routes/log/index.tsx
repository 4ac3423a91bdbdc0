/** The overview of the public log: its state, its keys, and the search for an entry. */
import { page } from "fresh";
import { LogPage, type LogPageData } from "../../components/log/LogPage.tsx";
import { checkerOf } from "../../lib/features/documents/mod.ts";
import { firstPublished, readDays, readStatus } from "../../lib/features/log/mod.ts";
import { findEntry } from "../../lib/features/standard/pages/mod.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { define, pageHandler } from "../../lib/app/state.ts";

/** For how many days the page says how many entries were added. */
const DAYS = 30;

/** The page about the public log. `?find=` shows an entry by its number or a hash. */
export const handler = pageHandler<LogPageData>({
  async GET(ctx) {
    const { url, state: { services } } = ctx;
    const { kv, clock, publicLog, logFiles } = services;
    const now = clock();
    const text = url.searchParams.get("find");
    const asker = { clientAddress: clientOf(ctx), checker: checkerOf(ctx) };
    const [status, keys, previous, days, result] = await Promise.all([
      readStatus(kv, publicLog),
      logFiles.keys(),
      logFiles.previous(),
      readDays(kv, now, DAYS),
      text === null ? null : findEntry(services, text, asker),
    ]);
    if (result?.ok === false && result.error === "rate_limited") unwrap(result);
    const completeSince = await firstPublished(kv, status.completeFrom);
    const data = {
      ...{ status, completeSince, keys, now },
      added: { days: DAYS, count: days.reduce((sum, { count }) => sum + count, 0) },
      hasPrevious: previous !== null,
      url: logFiles.url,
      found: result === null ? null : { text: text!, result },
    };
    const code = result === null || result.ok ? 200 : result.error === "not_found" ? 404 : 400;
    return page(data, { status: code, headers: { "cache-control": "no-store" } });
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <LogPage
    state={state}
    {...data}
  />
));
