import type { Context } from "fresh";
import { z } from "zod";
import { AlertsPage, type AlertView } from "../../components/console/AlertsPage.tsx";
import { ConsoleFrame } from "../../components/console/ConsoleFrame.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { type Alert, alertCursorSchema } from "../../lib/console/mod.ts";
import { decisionSchema } from "../../lib/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
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
    try {
      const wish = checkInput(input, given);
      if (wish.act === "read") await alerts.markRead(organisation, email);
      else unwrap(await access.decide({ ...wish, decider: { organisation, email } }));
      if (!isFormPost(ctx.req)) return Response.json({ success: true });
      return ctx.redirect("/console/alerts", 303);
    } catch (error) {
      if (!(error instanceof RequestError) || !isFormPost(ctx.req)) throw error;
      return await render(ctx, error.message, error.status);
    }
  },
}));

async function render(ctx: Context<State>, problem?: string, status = 200): Promise<Response> {
  const { state, url, req } = ctx;
  const operator = requireLayer(state, "L1");
  const { after } = checkInput(query, Object.fromEntries(url.searchParams));
  const { organisation } = state.surface;
  const { alerts, cursor } = await state.services.alerts.list(organisation, { cursor: after });
  const views = await Promise.all(alerts.map((alert) => read(state, alert)));
  const page = { cursor, unread: state.unreadAlerts, operator: operator.email, problem };
  state.scripts = false;
  return await ctx.render(
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Alerts">
      <AlertsPage alerts={views} {...page} />
    </ConsoleFrame>,
    { status },
  );
}

async function read({ services, surface }: State, alert: Alert): Promise<AlertView> {
  const { request: id } = alert.links;
  const request = id === undefined ? null : await services.access.readOf(surface.organisation, id);
  if (request === null) return { alert, about: null };
  const title = (await services.documents.read(request.document))?.title ?? null;
  return { alert, about: { request, title } };
}
