import { oauthJson, tokenEndpoint } from "../lib/oauth/mod.ts";
import { define, type State } from "../lib/state.ts";

/** Exchanges a code or a refresh token for tokens (RFC 6749, section 3.2). */
export const handler = define.handlers(tokenEndpoint<State>(async (tokens, ...request) => {
  const result = await tokens.issue(...request);
  return result.ok ? oauthJson(result.tokens) : result;
}));
