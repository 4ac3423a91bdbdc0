/** The page of money in and out in the console, over all accounts of a period. */
import { FlowPage } from "../../../components/bank/FlowPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { withPatience } from "../../../lib/features/bank/mod.ts";
import { requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import {
  flowPresets,
  readFlowFilters,
  readMoneyFlow,
} from "../../../lib/features/bank/console/money_flow.ts";
import { route } from "../../../lib/app/state.ts";

/** The transactions behind the totals of the commercial console, for full administrators. */
export const handler = route({
  async GET(ctx) {
    requireLayer(ctx.state, "L1");
    const { url, state } = ctx;
    const now = state.services.clock();
    const filters = readFlowFilters(url, now);
    const { query } = filters;
    const result = query && await withPatience(
      url,
      state.services.schedule,
      (patience) => readMoneyFlow(treasuryOf(state), query, patience),
    );
    const error = result === null || result.ok ? null : result.error;
    const status = query === null ? 400 : error === null || error === "slow" ? 200 : 502;
    return await renderConsole(
      ctx,
      { title: "Money in and out" },
      <FlowPage
        filters={filters}
        presets={flowPresets(now)}
        flow={result?.ok ? result.flow : null}
        accounts={result?.ok ? result.accounts : []}
        error={error}
        href={url.pathname + url.search}
      />,
      { status },
    );
  },
});
