import { page } from "fresh";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import Finance from "../../../islands/Finance.tsx";
import { isSplit, requireLayer, treasuryOf } from "../../../lib/console/access.ts";
import type { FinanceSettings, RefreshState } from "../../../lib/console/finance.ts";
import { define, pageHandler, type State } from "../../../lib/state.ts";

export const handler = pageHandler({
  async GET(ctx) {
    const operator = requireLayer(ctx.state, "L1");
    const treasury = treasuryOf(ctx.state);
    const [summary, accounts] = await Promise.all([treasury.summary(), treasury.accounts()]);
    const now = new Date(ctx.state.services.clock()).toISOString();
    return page({ operator, initial: { summary, accounts, now } });
  },
});

/** The finance page, for full administrators (spec 4.2, 2 to 4). */
export default define.page<typeof handler>(({ data, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} visitor={data.operator} title="Finance">
    <Finance settings={settingsOf(state)} initial={data.initial} refreshed={refreshOf(url)} />
  </ConsoleFrame>
));

function settingsOf(state: State): FinanceSettings {
  const { organisation } = state.surface;
  const { tokens, baseUrl } = state.services.config.bank;
  const variables = [tokens[organisation].variable];
  if (baseUrl === undefined) variables.push("BANK_API_BASE");
  return { kind: isSplit(state) ? "split" : organisation, variables };
}

/** Returns the result of the form's refresh, which redirects to this page. */
function refreshOf({ searchParams }: URL): RefreshState {
  const code = searchParams.get("refresh_error");
  if (code !== null) return { state: "failed", code: /^[a-z_]{1,30}$/.test(code) ? code : "" };
  return { state: searchParams.get("refreshed") === "1" ? "done" : "idle" };
}
