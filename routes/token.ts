import { clientOf } from "../lib/http/client_address.ts";
import { withCors } from "../lib/http/cors.ts";
import { endpoint } from "../lib/http/endpoint.ts";
import {
  issuerOfState,
  oauthFailure,
  oauthJson,
  programCors,
  readTokenForm,
} from "../lib/oauth/mod.ts";
import { define, type State } from "../lib/state.ts";

/** Exchanges a code or a refresh token for tokens (RFC 6749, section 3.2). */
export const handler = define.handlers(withCors<State>(
  () => programCors(["POST"]),
  endpoint<State>({
    async POST(ctx) {
      const issuer = issuerOfState(ctx.state);
      const read = await readTokenForm(ctx.req);
      if (!read.ok) return oauthFailure(read);
      const { tokens } = ctx.state.services;
      const result = await tokens.issue(issuer, read.form, clientOf(ctx));
      return result.ok ? oauthJson(result.tokens) : oauthFailure(result);
    },
  }),
));
