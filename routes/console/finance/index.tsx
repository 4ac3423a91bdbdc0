import { page } from "fresh";
import { ConsoleFrame } from "../../../components/console/ConsoleFrame.tsx";
import Finance from "../../../islands/Finance.tsx";
import type { FinancePlace, RefreshResult } from "../../../lib/console/finance.ts";
import { gate, isSplit, treasuryOf } from "../../../lib/ops/mod.ts";
import { define, type State } from "../../../lib/state.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const operator = await gate(ctx, "L1");
    if (operator instanceof Response) return operator;
    const treasury = treasuryOf(ctx.state);
    const [summary, accounts] = await Promise.all([treasury.summary(), treasury.accounts()]);
    const now = new Date(ctx.state.services.clock()).toISOString();
    return page({ operator, first: { summary, accounts, now }, came: cameFrom(ctx.url) });
  },
});

/** The finance page, for full administrators (spec 4.2, 2 to 4). */
export default define.page<typeof handler>(({ data, state, url, req }) => (
  <ConsoleFrame {...{ state, url, req }} operator={data.operator} title="Finance">
    <Finance place={placeOf(state)} first={data.first} came={data.came} />
  </ConsoleFrame>
));

function placeOf(state: State): FinancePlace {
  const { organisation } = state.surface;
  const { tokens, baseUrl } = state.services.config.bank;
  const variables = [tokens[organisation].variable];
  if (baseUrl === undefined) variables.push("BANK_API_BASE");
  return { kind: isSplit(state) ? "split" : organisation, variables };
}

/** How the form's refresh went, which has led back here. */
function cameFrom({ searchParams }: URL): RefreshResult {
  const code = searchParams.get("refresh_error");
  if (code !== null) return { state: "failed", code: /^[a-z_]{1,30}$/.test(code) ? code : "" };
  return { state: searchParams.get("refreshed") === "1" ? "done" : "idle" };
}
