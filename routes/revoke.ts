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
  noAuthority: "The token in the request decides (RFC 7009).",
};

/** Revokes a token (RFC 7009). Revoking a refresh token ends the whole connection. */
export const handler = withCors<State>(
  () => programCors(["POST"]),
  route({
    async POST(ctx) {
      const issuer = issuerOfState(ctx.state);
      const read = await readTokenForm(ctx.req);
      if (!read.ok) return oauthFailure(read);
      const { tokens } = ctx.state.services;
      const result = await tokens.revoke(issuer, read.form, clientOf(ctx));
      return result.ok ? oauthJson({}) : oauthFailure(result);
    },
  }),
);
