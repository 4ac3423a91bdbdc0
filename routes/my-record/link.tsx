import type { Context } from "fresh";
import { LinkCodePage, LinkElsewherePage } from "../../components/oauth/LinkElsewherePage.tsx";
import { renderRequestFailure } from "../../components/oauth/render.tsx";
import { LinkPage } from "../../components/records/LinkPage.tsx";
import { LINK_NOTES, SignInPage } from "../../components/records/SignInPage.tsx";
import { browserIdOf } from "../../lib/http/browser_cookie.ts";
import { withCookies } from "../../lib/http/cookies.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { statusOf } from "../../lib/http/errors.ts";
import { CONFIDENTIAL, readToken } from "../../lib/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/http/render.ts";
import { consentPath, type StoredRequest } from "../../lib/oauth/mod.ts";
import { type LinkFailure, linkUseOf, type OpenLink } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

/**
 * The link of the sign-in mail. GET shows a button and changes nothing, because mail scanners open
 * links too; the button's POST signs in. A link that was requested for an app's request signs nobody
 * in in another browser: there the POST shows a code.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const token = await readToken(ctx);
    const link = await readLink(ctx, token);
    if (!link.ok) return await renderFailure(ctx, link);
    if (link.request === null) return await render(ctx, <LinkPage link={link} token={token} />);
    return await withRequest(
      ctx,
      link,
      (request) =>
        link.elsewhere
          ? <LinkElsewherePage request={request} link={link.request!} token={token} />
          : <LinkPage link={link} token={token} request={request} />,
    );
  },
  async POST(ctx) {
    const { links } = ctx.state.services.records;
    const token = await readToken(ctx);
    const link = await readLink(ctx, token);
    if (!link.ok) return await renderFailure(ctx, link);
    if (link.request !== null && link.elsewhere) return await showCode(ctx, link, token);
    const signedIn = await links.use(token, linkUseOf(ctx));
    if (!signedIn.ok) return await renderFailure(ctx, signedIn);
    const { request, cookies } = signedIn;
    return withCookies(redirectTo(request === null ? "/my-record" : consentPath(request)), cookies);
  },
}));

const readLink = ({ req, state }: Context<State>, token: string) =>
  state.services.records.links.read(token, {
    surface: state.surface.name,
    browser: browserIdOf(req),
  });

async function showCode(ctx: Context<State>, link: OpenLink, token: string) {
  const { services: { records, oauth }, surface } = ctx.state;
  const open = await oauth.readRequest(link.request!.token);
  if (!open.ok) return await renderRequestFailure(ctx, open);
  const shown = await records.links.showCode(token, surface.name);
  if (!shown.ok) return await renderFailure(ctx, shown);
  const { request: asked, code } = shown;
  return await render(ctx, <LinkCodePage request={open.request} link={asked} code={code} />);
}

/** Renders a page about the request that a link signs in for, unless the request has ended. */
async function withRequest(
  ctx: Context<State>,
  link: OpenLink,
  page: (request: StoredRequest) => Parameters<typeof render>[1],
) {
  const open = await ctx.state.services.oauth.readRequest(link.request!.token);
  return open.ok ? await render(ctx, page(open.request)) : await renderRequestFailure(ctx, open);
}

const render = (ctx: Context<State>, page: Parameters<Context<State>["render"]>[0]) =>
  renderWithoutScripts(ctx, page, { headers: CONFIDENTIAL });

/** Responds with the way to a new link, or with the record if the link has just been used here. */
function renderFailure(ctx: Context<State>, failure: LinkFailure) {
  if (failure.error === "used" && ctx.state.holder !== null) return redirectTo("/my-record");
  const view = { phase: "ask" as const, email: "", note: LINK_NOTES[failure.error] };
  const init = { status: statusOf(failure), headers: CONFIDENTIAL };
  return ctx.render(<SignInPage state={ctx.state} view={view} />, init);
}

const redirectTo = (location: string) =>
  new Response(null, { status: 303, headers: { ...CONFIDENTIAL, location } });
