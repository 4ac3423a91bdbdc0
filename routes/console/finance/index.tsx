/** The console's overview of bank accounts, balances and charts. */
import { HttpError } from "fresh";
import { renderConsole } from "../../../components/console/render_console.tsx";
import Finance from "../../../islands/Finance.tsx";
import { unmarked } from "../../../lib/base/pasted.ts";
import { type Treasury, withPatience } from "../../../lib/features/bank/mod.ts";
import { isSplit, requireLayer, treasuryOf } from "../../../lib/features/console/http.ts";
import {
  readBalanceChart,
  readFlowChart,
} from "../../../lib/features/bank/console/balance_charts.ts";
import type {
  Figures,
  FinanceSettings,
  RefreshState,
} from "../../../lib/features/bank/console/finance.ts";
import { readFinanceMoney } from "../../../lib/features/bank/console/finance_money.ts";
import { type DoneAction, readResult } from "../../../lib/platform/http/action_result.ts";
import { unwrap } from "../../../lib/platform/http/errors.ts";
import { route, type State } from "../../../lib/app/state.ts";

/** The finance page, for full administrators (spec 4.2.2 to 4.2.4). */
export const handler = route({
  async GET(ctx) {
    const { state, url } = ctx;
    const { email } = requireLayer(state, "L1");
    const treasury = treasuryOf(state);
    const chart = url.searchParams.get("chart");
    if (chart !== null) {
      if (state.surface.organisation !== "commercial" || !Object.hasOwn(CHARTS, chart)) {
        throw new HttpError(404);
      }
      return ctx.json(unwrap(await CHARTS[chart](treasury, state.services.clock()), 502).chart);
    }
    const figures = await readFigures(treasury, state, url);
    if (url.searchParams.get("format") === "json") return ctx.json(figures);
    return await renderConsole(
      ctx,
      { title: "Finance" },
      <Finance
        settings={settingsOf(state)}
        initial={figures}
        refreshed={refreshOf(await readResult(state.services, email, url))}
      />,
    );
  },
});

/** The charts of the page, which the browser requests as `?chart=balance`. */
const CHARTS: Record<string, typeof readFlowChart> = {
  balance: (treasury, now) => readBalanceChart(treasury, now),
  flow: readFlowChart,
};

/** Reads the figures together, so that they agree. The commercial console shows its transactions. */
async function readFigures(treasury: Treasury, state: State, url: URL): Promise<Figures> {
  const { clock, schedule } = state.services;
  const now = clock();
  const since = unmarked(url.searchParams.get("since") ?? "").slice(0, 20);
  const [summary, accounts, money] = await Promise.all([
    treasury.summary(),
    treasury.accounts(),
    state.surface.organisation === "commercial"
      ? withPatience(url, schedule, (patience) => readFinanceMoney(treasury, since, now, patience))
      : null,
  ]);
  return { summary, accounts, money, now: new Date(now).toISOString() };
}

function settingsOf(state: State): FinanceSettings {
  const { organisation } = state.surface;
  const { tokens, baseUrl } = state.services.config.bank;
  const variables = [tokens[organisation].variable];
  if (baseUrl === undefined) variables.push("BANK_API_BASE");
  return { kind: isSplit(state) ? "split" : organisation, variables };
}

/** Returns the result of the form's refresh, which redirects to this page. */
function refreshOf(asked: DoneAction | null): RefreshState {
  if (asked?.done === "refresh_failed") return { state: "failed", code: asked.of };
  return { state: asked?.done === "refreshed" ? "done" : "idle" };
}
