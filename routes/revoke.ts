import { oauthJson, tokenEndpoint } from "../lib/oauth/mod.ts";
import { define, type State } from "../lib/state.ts";

/** Revokes a token (RFC 7009). Revoking a refresh token ends the whole connection. */
export const handler = define.handlers(tokenEndpoint<State>(async (tokens, ...request) => {
  const result = await tokens.revoke(...request);
  return result.ok ? oauthJson({}) : result;
}));
