/** The place where an OAuth app sends a person to ask for access to their data. */
import type { Context } from "fresh";
import { AuthorizeError } from "../components/oauth/AuthorizeError.tsx";
import { clientOf } from "../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../lib/platform/http/mailed_link.ts";
import { renderWithoutScripts } from "../lib/platform/http/render.ts";
import { issuerOfState } from "../lib/features/oauth/mod.ts";
import { readerOfContext } from "../lib/features/records/mod.ts";
import { route, type State } from "../lib/app/state.ts";

const HANDOFF_ERRORS = {
  not_found: "This link is not valid.",
  used: "This decision has already been sent to the app.",
  expired: "The request has expired.",
  other_browser: "The app asked for access in another browser.",
};

/**
 * The authorization endpoint (RFC 6749, section 3.1). It stores a valid request and sends the person
 * to the consent page, which returns with a handoff.
 */
export const handler = route({
  async GET(ctx) {
    const issuer = issuerOfState(ctx.state);
    const { oauth } = ctx.state.services;
    const handoff = ctx.url.searchParams.get("handoff");
    if (handoff !== null) {
      const finished = await oauth.finish(issuer, handoff, ctx.req, readerOfContext(ctx));
      return finished.ok
        ? redirect(finished.location)
        : refuse(ctx, HANDOFF_ERRORS[finished.error]);
    }
    const result = await oauth.authorize(issuer, ctx.req, clientOf(ctx));
    if (result.ok) return redirect(result.location, result.cookie);
    if (result.error === "rate_limited") return unwrap(result);
    return result.error === "redirect" ? redirect(result.location) : refuse(ctx, result.message);
  },
  HEAD() {
    throw new RequestError(405, undefined, { headers: { allow: "GET" } });
  },
});

function redirect(location: string, cookie?: string): Response {
  const headers = { ...CONFIDENTIAL, location };
  const init = { status: 302, headers: cookie ? { ...headers, "set-cookie": cookie } : headers };
  return new Response(null, init);
}

function refuse(ctx: Context<State>, message: string) {
  const { services, surface } = ctx.state;
  const { name } = services.config.organisations[surface.organisation];
  const page = <AuthorizeError message={message} organisation={name} />;
  return renderWithoutScripts(ctx, page, { status: 400, headers: CONFIDENTIAL });
}
