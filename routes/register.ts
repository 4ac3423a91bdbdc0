/** The registration endpoint for OAuth apps. */
import { isJsonPost, readText } from "../lib/platform/http/body.ts";
import { clientOf } from "../lib/platform/http/client_address.ts";
import { withCors } from "../lib/platform/http/cors.ts";
import {
  issuerOfState,
  OAUTH_ROUTE,
  oauthError,
  oauthFailure,
  oauthJson,
  programCors,
  REGISTRATION_LIMIT,
} from "../lib/features/oauth/mod.ts";
import { route, type RouteProperties, type State } from "../lib/app/state.ts";

export const properties: RouteProperties = {
  ...OAUTH_ROUTE,
  crossSite: "all",
  noAuthority: "Any app may register (RFC 7591).",
};

/** Registers a client (RFC 7591). It is open to everyone, with a limit per client address. */
export const handler = withCors<State>(
  () => programCors(["POST"]),
  route({
    async POST(ctx) {
      issuerOfState(ctx.state);
      const input = isJsonPost(ctx.req) ? await readJson(ctx.req) : undefined;
      if (input === undefined) {
        const description = `Send JSON with at most ${REGISTRATION_LIMIT} bytes.`;
        return oauthError(400, "invalid_client_metadata", description);
      }
      const result = await ctx.state.services.oauth.register(input, clientOf(ctx));
      return result.ok ? oauthJson(result.client, 201) : oauthFailure(result, "registrations");
    },
  }),
);

async function readJson(req: Request): Promise<unknown> {
  try {
    return JSON.parse(await readText(req, REGISTRATION_LIMIT) ?? "");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
