/** The form in the console that sets when a low balance raises an alert. */
import type { Context } from "fresh";
import { z } from "zod";
import { LimitsPage } from "../../../components/bank/LimitsPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { unmarked } from "../../../lib/base/pasted.ts";
import { transactionList } from "../../../lib/features/bank/mod.ts";
import { requireLayer, requirePasskey, treasuryOf } from "../../../lib/features/console/http.ts";
import { readConsoleResult, withConsoleResult } from "../../../lib/features/console/results.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type State } from "../../../lib/app/state.ts";

const PATH = "/console/finance/limits";
const { parse } = transactionList.filters.min;

const input = z.object({
  account: z.string().min(1).max(100),
  below: z.string().max(40).transform((text, ctx) => {
    const typed = unmarked(text);
    const amount = typed === "" ? null : parse(typed);
    if (amount !== undefined) return amount;
    ctx.addIssue("Enter an amount such as 10,000, or nothing for no alert.");
    return z.NEVER;
  }),
});

/** The balances below which an alert is raised, for full administrators of both consoles. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    requirePasskey(ctx.state);
    const { services: { lowBalance }, surface: { organisation } } = ctx.state;
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const limit = checkInput(input, given);
      const result = await lowBalance.set(organisation, { ...limit, by });
      unwrap(result, !result.ok && result.error === "not_connected" ? 502 : 404);
      return formDone(
        ctx.req,
        await withConsoleResult(ctx.state, PATH, "set_limit", limit.account),
      );
    }, (problem) => render(ctx, { ...problem, given: given as Record<string, string> }));
  },
});

async function render(
  ctx: Context<State>,
  refused?: Problem & { given: Record<string, string> },
): Promise<Response> {
  requireLayer(ctx.state, "L1");
  const { services: { lowBalance }, surface: { organisation } } = ctx.state;
  const listed = await treasuryOf(ctx.state).accounts();
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const props = {
    limits: await lowBalance.limits(organisation, listed.accounts),
    error: listed.connection_status === "live" ? null : listed.reason ?? "not_connected",
    saved: asked?.of ?? null,
    refused: refused && {
      account: String(refused.given.account),
      below: String(refused.given.below).slice(0, 40),
      message: refused.issues?.below ?? refused.message,
    },
  };
  const title = "Low-balance alerts";
  return await renderConsole(ctx, { title }, <LimitsPage {...props} />, refused);
}
