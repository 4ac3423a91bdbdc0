import { clientOf } from "../lib/platform/http/client_address.ts";
import { withCors } from "../lib/platform/http/cors.ts";
import {
  issuerOfState,
  OAUTH_ROUTE,
  oauthFailure,
  oauthJson,
  programCors,
  readTokenForm,
} from "../lib/features/oauth/mod.ts";
import { route, type RouteProperties, type State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  ...OAUTH_ROUTE,
  crossSite: "all",
  noAuthority: "The code or token in the request decides (RFC 6749).",
};

/** Exchanges a code or a refresh token for tokens (RFC 6749, section 3.2). */
export const handler = withCors<State>(
  () => programCors(["POST"]),
  route({
    async POST(ctx) {
      const issuer = issuerOfState(ctx.state);
      const read = await readTokenForm(ctx.req);
      if (!read.ok) return oauthFailure(read);
      const { tokens } = ctx.state.services;
      const result = await tokens.issue(issuer, read.form, clientOf(ctx));
      return result.ok ? oauthJson(result.tokens) : oauthFailure(result);
    },
  }),
);
