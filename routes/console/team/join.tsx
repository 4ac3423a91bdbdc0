/** The page on which an invited person joins the team of a console. */
import type { Context } from "fresh";
import { JoinPage } from "../../../components/operators/JoinPage.tsx";
import { renderConsole } from "../../../components/console/render_console.tsx";
import { requireSession } from "../../../lib/features/console/http.ts";
import { landingAfter } from "../../../lib/features/passkeys/landing.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { withCookies } from "../../../lib/platform/http/cookies.ts";
import { deviceOf } from "../../../lib/platform/http/device.ts";
import { statusOf } from "../../../lib/platform/http/errors.ts";
import { CONFIDENTIAL, readToken } from "../../../lib/platform/http/mailed_link.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "The token of the mailed invitation decides.",
};

/**
 * The link of an invitation, which proves the mailbox, so its button also signs in. GET shows the button and changes
 * nothing, because mail scanners open links too.
 */
export const handler = route({
  GET: async (ctx) => await render(ctx, await readToken(ctx)),
  async POST(ctx) {
    const { req, state: { surface, services } } = ctx;
    const token = await readToken(ctx);
    const { found, session } = await read(ctx, token);
    if (!found.ok) return await render(ctx, token);
    const target = { email: found.invitation.email, surface: surface.name };
    const { cookies, owner } = session === null
      ? await services.auth.startSession(target, { device: deviceOf(req, clientOf(ctx)) })
      : { cookies: [], owner: requireSession(ctx.state) };
    const accepted = await services.team.accept(surface.organisation, token, owner);
    if (!accepted.ok) {
      // Somebody else was faster. Nobody gets the cookie of the session that began for this.
      const { user_id, id } = owner;
      const only = (each: string) => each === id;
      if (session === null) {
        await services.auth.endSessions({ user_id, surface: surface.name, only });
      }
      return await render(ctx, token);
    }
    const landing = await landingAfter(services, surface, { next: null, user: owner });
    return withCookies(ctx.redirect(landing, 303), cookies);
  },
});

/** Reads an invitation for the session that would join. One from before the invitation cannot, so it counts as none. */
async function read({ state }: Context<State>, token: string) {
  const { session, surface: { organisation }, services: { team } } = state;
  const found = await team.readInvitation(organisation, token, session);
  return !found.ok && found.error === "old_session"
    ? { found: await team.readInvitation(organisation, token, null), session: null }
    : { found, session };
}

async function render(ctx: Context<State>, token: string): Promise<Response> {
  const { surface: { organisation }, services: { config }, session: visitor } = ctx.state;
  const { found, session } = await read(ctx, token);
  const { name } = config.organisations[organisation];
  return await renderConsole(
    ctx,
    { title: "Invitation" },
    <JoinPage
      {...{ found, token, name }}
      email={visitor?.email ?? null}
      signsIn={session === null}
    />,
    { status: statusOf(found), headers: CONFIDENTIAL },
  );
}
