/** The console's page about who may use it, with invitations and the operator's own sessions. */
import type { Context } from "fresh";
import type { RefusedForm } from "../../../components/operators/Invitations.tsx";
import { TeamPage } from "../../../components/operators/TeamPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireLayer, requirePasskey } from "../../../lib/features/console/http.ts";
import { readConsoleResult, withConsoleResult } from "../../../lib/features/console/results.ts";
import {
  actOnTeam,
  OWN_ACTIONS,
  teamActionSchema,
} from "../../../components/operators/team_actions.ts";
import { readTeam, teamResult } from "../../../components/operators/team_view.ts";
import { checkInput, readInput } from "../../../lib/platform/http/body.ts";
import { type Problem, unwrap } from "../../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../../lib/platform/http/form_post.ts";
import { route, type State } from "../../../lib/app/state.ts";

/**
 * The team of the console: for every operator their own sessions and settings, and for full
 * administrators also the operators and invitations.
 */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { req, state } = ctx;
    requireLayer(state, "L2");
    const given = await readInput(req) as Record<string, string>;
    return await orShowForm(req, async () => {
      const form = checkInput(teamActionSchema, given);
      const isOwn = OWN_ACTIONS.has(form.act);
      const { email: by } = requireLayer(state, isOwn ? "L2" : "L1");
      if (!isOwn || form.act === "leave") requirePasskey(state, { input: given });
      const { services, surface: { organisation }, session } = state;
      const actor = { organisation, by, session: session!.id };
      const { done, of } = unwrap(await actOnTeam(services, actor, form));
      return formDone(req, await withConsoleResult(state, "/console/team", done, of));
    }, (problem) => render(ctx, { given, problem }));
  },
});

async function render(
  ctx: Context<State>,
  refused?: { given: Record<string, string>; problem: Problem },
): Promise<Response> {
  requireLayer(ctx.state, "L2");
  const { services, surface, session, layer } = ctx.state;
  const [view, passkeys] = await Promise.all([
    readTeam(services, { surface, session: session!, layer }),
    services.operatorPasskeys.list(session!, surface),
  ]);
  const result = refused ? null : teamResult(await readConsoleResult(ctx.state, ctx.url), view);
  const form: RefusedForm | undefined = refused && {
    act: String(refused.given.act),
    email: String(refused.given.email ?? "").slice(0, 300),
    layer: String(refused.given.layer),
    problem: refused.problem.issues?.email ?? refused.problem.issues?.confirm ??
      refused.problem.message,
  };
  return await renderConsole(
    ctx,
    { title: "Team" },
    <TeamPage
      {...view}
      result={result}
      refused={form}
      session={session!.id}
      passkeys={passkeys}
      passkeyDone={ctx.url.searchParams.get("passkey")}
      now={services.clock()}
    />,
    refused?.problem,
  );
}
