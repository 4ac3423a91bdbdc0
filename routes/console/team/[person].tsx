/** The console's page about one operator: their access, and the forms that change it. */
import type { Context } from "fresh";
import { OperatorPage } from "../../../components/operators/OperatorPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import { readConsoleResult, withConsoleResult } from "../../../lib/features/console/results.ts";
import { actOnOperator, operatorActionSchema } from "../../../components/operators/team_actions.ts";
import { operatorResult, readOperator } from "../../../components/operators/team_view.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { type Problem, RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type State } from "../../../lib/app/state.ts";

/** One operator of the console, for full administrators. */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { req, state } = ctx;
    const { email: by } = requireLayer(state, "L1");
    requirePasskey(state);
    const { operator: { email } } = await readView(ctx);
    const given = await readInput(req);
    return await orShowForm(req, async () => {
      const form = checkInput(operatorActionSchema, given);
      const { services, surface: { organisation } } = state;
      const { done, of } = unwrap(
        await actOnOperator(services, { organisation, by }, email, form),
      );
      const page = done === "remove_operator" ? "/console/team" : ctx.url.pathname;
      return formDone(req, await withConsoleResult(state, page, done, of));
    }, (problem) => render(ctx, problem));
  },
});

async function readView({ params, state }: Context<State>) {
  const { services, surface: { organisation } } = state;
  const view = await readOperator(services, organisation, params.person);
  if (view === null) throw new RequestError(404, "There is no such operator in this console.");
  return view;
}

async function render(ctx: Context<State>, problem?: Problem): Promise<Response> {
  const { email } = requireLayer(ctx.state, "L1");
  const view = await readView(ctx);
  const { services: { clock } } = ctx.state;
  const result = problem ? null : operatorResult(await readConsoleResult(ctx.state, ctx.url), view);
  return await renderConsole(
    ctx,
    { title: view.operator.email },
    <OperatorPage
      {...view}
      path={ctx.url.pathname}
      result={result}
      isSelf={view.operator.email === email}
      problem={problem?.issues?.confirm ?? problem?.message}
      now={clock()}
    />,
    problem,
  );
}
