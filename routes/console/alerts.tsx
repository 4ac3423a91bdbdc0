import type { Context } from "fresh";
import { z } from "zod";
import { AlertsPage } from "../../components/console/AlertsPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer } from "../../lib/console/access.ts";
import { alertFiltersSchema, alertQuery, alertsPath } from "../../lib/console/alert_filters.ts";
import { readNamedObjects } from "../../lib/console/alert_views.ts";
import { sendMailsAgain } from "../../lib/console/lost_mail.ts";
import { alertCursorSchema, parseAlertRef } from "../../lib/console/mod.ts";
import { decisionSchema } from "../../lib/documents/mod.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { type Problem, unwrap } from "../../lib/http/errors.ts";
import { formDone, orShowForm } from "../../lib/http/form_post.ts";
import { define, type State } from "../../lib/state.ts";

const alert = alertCursorSchema;
const input = z.union([
  z.object({ act: z.enum(["read", "done", "reopen"]), alert }),
  z.object({ act: z.literal("send"), alert, mail: z.uuid().optional() }),
  z.object({ act: z.literal("read") }),
  decisionSchema,
]);

/** The alerts of the console's organisation, for full administrators. */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email } = requireLayer(ctx.state, "L1");
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      await act(ctx.state, checkInput(input, given), email);
      return formDone(ctx.req, alertsPath(filtersOf(ctx)));
    }, (problem) => render(ctx, problem));
  },
}));

async function act(
  { services, surface: { organisation } }: State,
  wish: z.infer<typeof input>,
  by: string,
): Promise<void> {
  const { access, alerts } = services;
  if (!("alert" in wish)) {
    if (wish.act === "read") return await alerts.markRead(organisation, by);
    return void unwrap(await access.decide({ ...wish, decider: { organisation, email: by } }));
  }
  const ref = parseAlertRef(organisation, wish.alert);
  if (wish.act === "send") {
    return void unwrap(await sendMailsAgain(services, { ref, mail: wish.mail, by }));
  }
  unwrap(await alerts.setState(ref, wish.act === "done" ? "done" : "read", by));
}

const filtersOf = ({ url }: Context<State>) =>
  checkInput(alertFiltersSchema, Object.fromEntries(url.searchParams));

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const { email: operator } = requireLayer(ctx.state, "L1");
  const { services, surface: { organisation }, unreadAlerts: unread } = ctx.state;
  const filters = filtersOf(ctx);
  const { alerts, cursor } = await services.alerts.list(organisation, alertQuery(filters));
  const objects = await readNamedObjects(services, organisation, alerts);
  const props = { alerts, cursor, filters, objects, unread, operator };
  return await renderConsole(
    ctx,
    { title: "Alerts" },
    <AlertsPage {...props} problem={problem?.message} />,
    problem,
  );
}
