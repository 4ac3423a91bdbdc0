import type { Context } from "fresh";
import { z } from "zod";
import { LinkPage } from "../../components/records/LinkPage.tsx";
import { SignInPage } from "../../components/records/SignInPage.tsx";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { browserIdOf } from "../../lib/http/browser_cookie.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { type LinkFailure, linkUseOf } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const input = z.object({ token: z.string("Open the complete link from the mail.") });
const NOTES = {
  not_found: "That link is not valid. Enter your email address to get a new one.",
  expired: "That link has expired. Enter your email address to get a new one.",
  used: "That link has already been used. Enter your email address to get a new one.",
};
const STATUSES = { not_found: 404, expired: 410, used: 410 };
/** The URL contains a secret, which must not reach caches or other pages. */
const HEADERS = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * The link of the sign-in mail. GET shows a button and changes nothing, because mail scanners open
 * links too; the button's POST signs in.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { token } = checkInput(input, Object.fromEntries(ctx.url.searchParams));
    const { services: { records }, surface } = ctx.state;
    const browser = browserIdOf(ctx.req);
    const link = await records.links.read(token, { surface: surface.name, browser });
    if (!link.ok) return await renderFailure(ctx, link);
    ctx.state.scripts = false;
    return await ctx.render(<LinkPage link={link} token={token} />, { headers: HEADERS });
  },
  async POST(ctx) {
    const { token } = checkInput(input, await readInput(ctx.req));
    const { services: { records } } = ctx.state;
    const use = linkUseOf(ctx);
    const signedIn = await records.links.use(token, use);
    if (!signedIn.ok) return await renderFailure(ctx, signedIn);
    const response = redirectToRecord();
    for (const cookie of signedIn.cookies) response.headers.append("set-cookie", cookie);
    return response;
  },
}));

/** Responds with the way to a new link, or with the record if the link has just been used here. */
function renderFailure(ctx: Context<State>, { error }: LinkFailure) {
  if (error === "used" && ctx.state.holder !== null) return redirectToRecord();
  const view = { phase: "ask" as const, email: "", note: NOTES[error] };
  const init = { status: STATUSES[error], headers: HEADERS };
  return ctx.render(<SignInPage state={ctx.state} view={view} />, init);
}

const redirectToRecord = () =>
  new Response(null, { status: 303, headers: { ...HEADERS, location: "/my-record" } });
