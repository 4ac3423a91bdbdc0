/** The list of alerts in the console, and the forms to deal with them. */
import type { Context } from "fresh";
import { AlertsPage } from "../../components/alerts/AlertsPage.tsx";
import { renderConsole } from "../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../lib/features/console/http.ts";
import { actOnAlerts, alertActionSchema, decidesAccess } from "../../components/alerts/actions.ts";
import { readAlertResult } from "../../components/alerts/result.ts";
import { readConsoleResult, withConsoleResult } from "../../lib/features/console/results.ts";
import { readAlertPage, readNamedObjects } from "../../components/alerts/views.ts";
import { checkInput, invalidInput, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { route, type State } from "../../lib/app/state.ts";

/** The alerts of the console's organisation, for full administrators. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { email: by } = requireLayer(ctx.state, "L1");
    const { services, surface: { organisation } } = ctx.state;
    const given = await readInput(ctx.req);
    return await orShowForm(ctx.req, async () => {
      const form = checkInput(alertActionSchema, given);
      if (decidesAccess(form)) requirePasskey(ctx.state, { input: given });
      const { done, of } = unwrap(await actOnAlerts(services, { organisation, by }, form));
      const { query } = filtersOf(ctx);
      const list = services.alerts.filters.href(query, { after: query.after });
      return formDone(ctx.req, await withConsoleResult(ctx.state, list, done, of));
    }, (problem) => render(ctx, problem));
  },
});

function filtersOf({ url, state: { services: { alerts } } }: Context<State>) {
  const filters = alerts.filters.read(url.searchParams);
  const { query, issues } = filters;
  if (query === null) throw invalidInput(issues);
  return { filters, query };
}

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const { email: operator } = requireLayer(ctx.state, "L1");
  const { services, surface: { organisation } } = ctx.state;
  const { filters, query } = filtersOf(ctx);
  const [page] = await Promise.all([
    readAlertPage(services.alerts, organisation, query),
    ctx.state.overview,
  ]);
  const { unreadAlerts: unread, openAlertKinds: counts } = ctx.state;
  const all = [...page.decisions, ...page.alerts];
  const objects = await readNamedObjects(services, organisation, all);
  const list = services.alerts.filters;
  const by = operator;
  const asked = await readConsoleResult(ctx.state, ctx.url);
  const result = problem
    ? null
    : asked && await readAlertResult(services, { organisation, by, unread }, asked);
  const props = { ...page, list, filters, query, objects, unread, counts, operator };
  return await renderConsole(
    ctx,
    { title: "Alerts" },
    <AlertsPage {...props} result={result} problem={problem?.message} />,
    problem,
  );
}
