/** The responses of the routes behind mailed sign-in links. */
import type { Context } from "fresh";
import { statusOf } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import type { LinkFailure, OpenLink, SignInRequest } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { LinkCodePage, LinkElsewherePage } from "../oauth/LinkElsewherePage.tsx";
import { renderRequestFailure } from "../oauth/render.tsx";
import { LinkPage } from "./LinkPage.tsx";
import { LINK_NOTES, SignInPage } from "./SignInPage.tsx";

/** Renders the page of a sign-in link, whose button uses the link. */
export async function renderLink(
  ctx: Context<State>,
  link: OpenLink,
  token: string,
): Promise<Response> {
  if (link.request === null) {
    return await render(ctx, <LinkPage state={ctx.state} link={link} token={token} />);
  }
  const open = await ctx.state.services.oauth.readRequest(link.request.token);
  if (!open.ok) return await renderRequestFailure(ctx, open);
  const { request } = open;
  const page = link.elsewhere
    ? <LinkElsewherePage request={request} link={link.request} token={token} />
    : <LinkPage state={ctx.state} {...{ link, token, request }} />;
  return await render(ctx, page);
}

/** Uses a link in another browser than the one that requested it, and renders the code. */
export async function renderLinkCode(
  ctx: Context<State>,
  { token: request }: SignInRequest,
  token: string,
): Promise<Response> {
  const { services: { records, oauth }, surface } = ctx.state;
  const open = await oauth.readRequest(request);
  if (!open.ok) return await renderRequestFailure(ctx, open);
  const shown = await records.links.showCode(token, surface.name);
  if (!shown.ok) return await renderLinkFailure(ctx, shown);
  const { request: link, code } = shown;
  return await render(ctx, <LinkCodePage {...{ request: open.request, link, code }} />);
}

/** Responds with the way to a new link, or with the record if the link has just been used here. */
export function renderLinkFailure(
  ctx: Context<State>,
  failure: LinkFailure,
): Response | Promise<Response> {
  if (failure.error === "used" && ctx.state.holder !== null) {
    return new Response(null, {
      status: 303,
      headers: { ...CONFIDENTIAL, location: "/my-record" },
    });
  }
  const view = { phase: "ask" as const, email: "", note: LINK_NOTES[failure.error] };
  const init = { status: statusOf(failure), headers: CONFIDENTIAL };
  return ctx.render(<SignInPage state={ctx.state} view={view} />, init);
}

const render = (ctx: Context<State>, page: Parameters<Context<State>["render"]>[0]) =>
  renderWithoutScripts(ctx, page, { headers: CONFIDENTIAL });
