import type { Context } from "fresh";
import { JoinPage } from "../../../components/operators/JoinPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireSession } from "../../../lib/features/console/access.ts";
import { statusOf } from "../../../lib/platform/http/errors.ts";
import { CONFIDENTIAL, readToken } from "../../../lib/platform/http/mailed_link.ts";
import { route, type State } from "../../../lib/app/state.ts";

/**
 * The link of an invitation, for the invited address after signing in with it. GET shows a button
 * and changes nothing, because mail scanners open links too.
 */
export const handler = route({
  async GET(ctx) {
    requireSession(ctx.state);
    return await render(ctx, await readToken(ctx));
  },
  async POST(ctx) {
    const { surface: { organisation }, services: { team } } = ctx.state;
    const session = requireSession(ctx.state);
    const token = await readToken(ctx);
    const accepted = await team.accept(organisation, token, session);
    return accepted.ok ? ctx.redirect("/console", 303) : await render(ctx, token);
  },
});

async function render(ctx: Context<State>, token: string): Promise<Response> {
  const { surface, services: { team, config } } = ctx.state;
  const session = requireSession(ctx.state);
  const { organisation } = surface;
  const found = await team.readInvitation(organisation, token, session);
  const { name } = config.organisations[organisation];
  return await renderConsole(
    ctx,
    { title: "Invitation" },
    <JoinPage {...{ found, token, name }} email={session.email} />,
    { status: statusOf(found), headers: CONFIDENTIAL },
  );
}
