import { isJsonPost, readText } from "../lib/http/body.ts";
import { clientOf } from "../lib/http/client_address.ts";
import { withCors } from "../lib/http/cors.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import {
  issuerOfState,
  oauthError,
  oauthJson,
  programCors,
  REGISTRATION_LIMIT,
} from "../lib/oauth/mod.ts";
import { define, type State } from "../lib/state.ts";
import { plural } from "../lib/time.ts";

/** Registers a client (RFC 7591). It is open to everyone, with a limit per client address. */
export const handler = define.handlers(withCors<State>(
  () => programCors(["POST"]),
  endpoint<State>({
    async POST(ctx) {
      issuerOfState(ctx.state);
      const input = isJsonPost(ctx.req) ? await readJson(ctx.req) : undefined;
      if (input === undefined) {
        const description = `Send JSON with at most ${REGISTRATION_LIMIT} bytes.`;
        return oauthError(400, "invalid_client_metadata", description);
      }
      const result = await ctx.state.services.oauth.register(input, clientOf(ctx));
      if (result.ok) return oauthJson(result.client, 201);
      if (result.error !== "rate_limited") return oauthError(400, result.error, result.message);
      const wait = plural(result.retryAfterSeconds, "second");
      const description = `Too many registrations. Try again in ${wait}.`;
      const headers = { "retry-after": String(result.retryAfterSeconds) };
      return oauthError(429, "rate_limited", description, headers);
    },
  }),
));

async function readJson(req: Request): Promise<unknown> {
  try {
    return JSON.parse(await readText(req, REGISTRATION_LIMIT) ?? "");
  } catch {
    return undefined;
  }
}
