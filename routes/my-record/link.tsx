import type { Context } from "fresh";
import { LinkPage } from "../../components/records/LinkPage.tsx";
import { LINK_NOTES, SignInPage } from "../../components/records/SignInPage.tsx";
import { browserIdOf } from "../../lib/http/browser_cookie.ts";
import { withCookies } from "../../lib/http/cookies.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { statusOf } from "../../lib/http/errors.ts";
import { CONFIDENTIAL, readToken } from "../../lib/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/http/render.ts";
import { type LinkFailure, linkUseOf } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/**
 * The link of the sign-in mail. GET shows a button and changes nothing, because mail scanners open
 * links too; the button's POST signs in.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const token = await readToken(ctx);
    const { services: { records }, surface } = ctx.state;
    const browser = browserIdOf(ctx.req);
    const link = await records.links.read(token, { surface: surface.name, browser });
    if (!link.ok) return await renderFailure(ctx, link);
    const page = <LinkPage link={link} token={token} />;
    return await renderWithoutScripts(ctx, page, { headers: CONFIDENTIAL });
  },
  async POST(ctx) {
    const { links } = ctx.state.services.records;
    const signedIn = await links.use(await readToken(ctx), linkUseOf(ctx));
    if (!signedIn.ok) return await renderFailure(ctx, signedIn);
    return withCookies(redirectToRecord(), signedIn.cookies);
  },
}));

/** Responds with the way to a new link, or with the record if the link has just been used here. */
function renderFailure(ctx: Context<State>, failure: LinkFailure) {
  if (failure.error === "used" && ctx.state.holder !== null) return redirectToRecord();
  const view = { phase: "ask" as const, email: "", note: LINK_NOTES[failure.error] };
  const init = { status: statusOf(failure), headers: CONFIDENTIAL };
  return ctx.render(<SignInPage state={ctx.state} view={view} />, init);
}

const redirectToRecord = () =>
  new Response(null, { status: 303, headers: { ...CONFIDENTIAL, location: "/my-record" } });
