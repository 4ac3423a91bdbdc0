import { isFormPost, readText } from "../http/body.ts";
import { type ClientContext, clientOf } from "../http/client_address.ts";
import { withCors } from "../http/cors.ts";
import { endpoint, type EndpointHandler } from "../http/endpoint.ts";
import type { RateLimited } from "../result.ts";
import { plural } from "../time.ts";
import type { TokenFailure } from "./exchange.ts";
import { issuerOfState, type IssuerState } from "./endpoints.ts";
import type { Issuer } from "./issuer.ts";
import { oauthError, programCors } from "./responses.ts";
import { readTokenForm, type TokenForm } from "./token_request.ts";
import type { Tokens } from "./tokens.ts";

/** The largest form, in bytes. */
const FORM_LIMIT = 16 * 1024;

type TokenState = IssuerState & ClientContext["state"] & { services: { tokens: Tokens } };

/**
 * Creates an endpoint to which clients of any origin post a form without credentials, and which
 * responds with JSON.
 */
export const tokenEndpoint = <State extends TokenState>(
  act: (
    tokens: Tokens,
    ...request: [issuer: Issuer, form: TokenForm, clientAddress: string]
  ) => Promise<Response | TokenFailure | RateLimited>,
): EndpointHandler<State> =>
  withCors<State>(
    () => programCors(["POST"]),
    endpoint<State>({
      async POST(ctx) {
        const { req, state } = ctx;
        const issuer = issuerOfState(state);
        const text = isFormPost(req) ? await readText(req, FORM_LIMIT) : undefined;
        if (text === undefined) {
          const description = `Send a form with at most ${FORM_LIMIT} bytes.`;
          return oauthError(400, "invalid_request", description);
        }
        const form = readTokenForm(text);
        if (form === null) {
          return oauthError(400, "invalid_request", "A parameter was sent more than once.");
        }
        if (req.headers.has("authorization") || form.client_secret !== undefined) {
          const description = "Clients are public: send client_id, without a secret.";
          return oauthError(401, "invalid_client", description, BASIC);
        }
        const result = await act(state.services.tokens, issuer, form, clientOf(ctx));
        return result instanceof Response ? result : refusal(result);
      },
    }),
  );

/** A 401 names the scheme that the client used (RFC 6749, section 5.2). */
const BASIC = { "www-authenticate": "Basic" };

function refusal(failure: TokenFailure | RateLimited): Response {
  if (failure.error !== "rate_limited") {
    const status = failure.error === "invalid_client" ? 401 : 400;
    return oauthError(status, failure.error, failure.message ?? "");
  }
  const wait = plural(failure.retryAfterSeconds, "second");
  const description = `Too many requests. Try again in ${wait}.`;
  const headers = { "retry-after": String(failure.retryAfterSeconds) };
  return oauthError(429, "rate_limited", description, headers);
}
