import type { Context } from "fresh";
import { z } from "zod";
import { AlertsPage } from "../../components/console/AlertsPage.tsx";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { alertCursorSchema } from "../../lib/console/mod.ts";
import { decisionSchema } from "../../lib/documents/mod.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { type Problem, unwrap } from "../../lib/http/errors.ts";
import { formDone, orShowForm } from "../../lib/http/form_post.ts";
import { renderWithoutScripts } from "../../lib/http/render.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.union([z.object({ act: z.literal("read") }), decisionSchema]);
const query = z.object({ after: alertCursorSchema.optional() });

/** The alerts of the console's organisation, for full administrators, who decide on requests. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email } = requireLayer(ctx.state, "L1");
    const { services: { access, alerts }, surface: { organisation } } = ctx.state;
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const wish = checkInput(input, given);
      if (wish.act === "read") await alerts.markRead(organisation, email);
      else unwrap(await access.decide({ ...wish, decider: { organisation, email } }));
      return formDone(ctx.req, "/console/alerts");
    }, (problem) => render(ctx, problem));
  },
}));

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const { state, url, req } = ctx;
  const operator = requireLayer(state, "L1");
  const { services: { alerts, access }, surface: { organisation } } = state;
  const { after } = checkInput(query, Object.fromEntries(url.searchParams));
  const page = await alerts.list(organisation, { cursor: after });
  const views = await Promise.all(page.alerts.map(async (alert) => {
    const id = alert.reports[0]?.links.request;
    return { alert, request: id === undefined ? null : await access.readOf(organisation, id) };
  }));
  const props = { cursor: page.cursor, unread: state.unreadAlerts, operator: operator.email };
  return await renderWithoutScripts(
    ctx,
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Alerts">
      <AlertsPage alerts={views} {...props} problem={problem?.message} />
    </ConsoleFrame>,
    problem,
  );
}
