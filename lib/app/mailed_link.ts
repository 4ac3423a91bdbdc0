/** The route handler that all pages behind mailed links share. */
import type { Context } from "fresh";
import type { VNode } from "preact";
import type { Failure } from "../base/result.ts";
import { readInput } from "../platform/http/body.ts";
import { withCookies } from "../platform/http/cookies.ts";
import { statusOf } from "../platform/http/errors.ts";
import { CONFIDENTIAL } from "../platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../platform/http/render.ts";
import { route, type State } from "./state.ts";

/** The response to somebody who opens or uses a mailed link. */
export interface LinkAnswer {
  page: VNode;
  /** The result, from which the response has its status and `Retry-After`. */
  result: { ok: true } | Failure;
  /** The complete `Set-Cookie` header of a link that signs in. */
  cookie?: string | null;
}

/** The response to the button of a link that leads to another page, with its `Set-Cookie` headers. */
interface LinkRedirect {
  location: string;
  cookies: readonly string[];
}

/** The behaviour of the mailed links of one kind. */
interface LinkKind<Link> {
  /**
   * Returns the link from the query of its URL, or from the fields of its form.
   *
   * @throws {RequestError} 400 if it is not complete
   */
  link(input: unknown, req: Request): Link;
  /** Reads a link and changes nothing, because mail scanners open links too. */
  open(ctx: Context<State>, link: Link): Promise<LinkAnswer>;
  /** Does what the button of the page says. */
  use(ctx: Context<State>, link: Link, input: unknown): Promise<LinkAnswer | LinkRedirect>;
}

/**
 * Returns the handler of the page behind mailed links of one kind: GET opens the link and shows its button, whose POST
 * uses it. The pages load no scripts, and the URL, which contains the token, reaches neither caches nor
 * other pages.
 */
export const mailedLink = <Link>({ link, open, use }: LinkKind<Link>) =>
  route({
    async GET(ctx) {
      const opened = link(Object.fromEntries(ctx.url.searchParams), ctx.req);
      return await respond(ctx, await open(ctx, opened));
    },
    async POST(ctx) {
      const input = await readInput(ctx.req);
      const answer = await use(ctx, link(input, ctx.req), input);
      return "page" in answer ? await respond(ctx, answer) : redirect(answer);
    },
  });

async function respond(ctx: Context<State>, { page, result, cookie }: LinkAnswer) {
  const wait = result.ok ? undefined : result.retryAfterSeconds;
  const headers = wait === undefined
    ? CONFIDENTIAL
    : { ...CONFIDENTIAL, "retry-after": String(wait) };
  const response = await renderWithoutScripts(ctx, page, { status: statusOf(result), headers });
  return cookie ? withCookies(response, [cookie]) : response;
}

function redirect({ location, cookies }: LinkRedirect): Response {
  const headers = { ...CONFIDENTIAL, location };
  return withCookies(new Response(null, { status: 303, headers }), cookies);
}
