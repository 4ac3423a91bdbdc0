/** Signs a holder in with the link from a mail. */
import type { Context } from "fresh";
import {
  renderLink,
  renderLinkCode,
  renderLinkFailure,
} from "../../components/records/render_link.tsx";
import { browserIdOf } from "../../lib/platform/http/browser_cookie.ts";
import { withCookies } from "../../lib/platform/http/cookies.ts";
import { CONFIDENTIAL, readToken } from "../../lib/platform/http/mailed_link.ts";
import { consentPath } from "../../lib/features/oauth/mod.ts";
import { linkUseOf } from "../../lib/features/records/mod.ts";
import { route, type RouteProperties, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  noAuthority: "The token of the mailed link decides.",
};

/**
 * The link of the sign-in mail. GET shows a button and changes nothing, because mail scanners open
 * links too; the button's POST signs in. A link that was requested for an app's request signs nobody
 * in in another browser: there the POST shows a code.
 */
export const handler = route({
  async GET(ctx) {
    const token = await readToken(ctx);
    const link = await readLink(ctx, token);
    return link.ok ? await renderLink(ctx, link, token) : await renderLinkFailure(ctx, link);
  },
  async POST(ctx) {
    const token = await readToken(ctx);
    const link = await readLink(ctx, token);
    if (!link.ok) return await renderLinkFailure(ctx, link);
    if (link.request && link.elsewhere) return await renderLinkCode(ctx, link.request, token);
    const signedIn = await ctx.state.services.records.links.use(token, linkUseOf(ctx));
    if (!signedIn.ok) return await renderLinkFailure(ctx, signedIn);
    const { request, cookie } = signedIn;
    const location = request === null ? "/my-record" : consentPath(request);
    const response = new Response(null, { status: 303, headers: { ...CONFIDENTIAL, location } });
    return withCookies(response, [cookie]);
  },
});

const readLink = ({ req, state }: Context<State>, token: string) =>
  state.services.records.links.read(token, {
    surface: state.surface.name,
    browser: browserIdOf(req),
  });
