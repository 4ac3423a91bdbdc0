import { bearerChallenge, type ChallengeReason, readBearer } from "../../platform/http/bearer.ts";
import { type ClientContext, clientOf } from "../../platform/http/client_address.ts";
import { RequestError, unwrap } from "../../platform/http/errors.ts";
import { type Holder, type HolderState, requireHolder } from "../records/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import type { OAuth } from "./oauth.ts";
import type { PushResource } from "./push_resource.ts";
import { RESOURCE_SCOPES } from "./scopes.ts";
import type { Tokens } from "./tokens.ts";

/** The sender of a phone's registration: a holder in a session, or an app with a grant. */
export type Registrant = Holder | { record: string; grant: string };

type RegistrantContext = ClientContext & {
  state: HolderState & {
    surface: Surface;
    services: { oauth: OAuth; tokens: Tokens };
  };
};

/**
 * Returns who registers a phone. A bearer token takes precedence over a session, even if it is not
 * valid, because an app sends it on purpose, while a browser adds cookies to every request.
 *
 * @throws {RequestError} with a challenge (RFC 6750, section 3) if there is neither, or the token is
 * refused; otherwise as `requireHolder`
 */
export async function requireRegistrant(ctx: RegistrantContext): Promise<Registrant> {
  const { req, state } = ctx;
  const { oauth, tokens } = state.services;
  const resource = oauth.pushResourceOf(state.surface);
  if (resource === null) return requireHolder(state);
  const sent = req.headers.has("authorization") ? readBearer(req) : null;
  if (sent === null || sent.token === null && sent.reason === "other") {
    if (state.holder === null || state.holder.record === null) throw refusal(resource, "sign_in");
    return requireHolder(state);
  }
  if (sent.token === null) throw refusal(resource, "malformed");
  const { bearer } = unwrap(await tokens.check(sent.token, resource.resource, clientOf(ctx)));
  if (bearer === null || bearer.record === null) throw refusal(resource, "invalid_token");
  if (!bearer.scopes.includes(SCOPE)) throw refusal(resource, "insufficient_scope");
  const ended = () => refusal(resource, "invalid_token");
  state.actor.demand(tokens.demandOf(bearer, sent.token, resource.resource, ended));
  return { record: bearer.record, grant: bearer.grant };
}

const [SCOPE] = RESOURCE_SCOPES.notifications;

const CODES = {
  sign_in: "unauthenticated",
  malformed: "invalid_request",
  invalid_token: "invalid_token",
  insufficient_scope: "insufficient_scope",
} as const satisfies Record<ChallengeReason, string>;

function refusal(
  { resourceMetadataUrl }: PushResource,
  reason: ChallengeReason,
): RequestError {
  const insufficient = "The access token is not for notifications.";
  const challenged = { resourceMetadataUrl, scope: SCOPE, insufficient };
  const { status, challenge, message } = bearerChallenge(challenged, reason);
  return new RequestError(status, message ?? "Sign in to your record first.", {
    code: CODES[reason],
    headers: { "www-authenticate": challenge },
  });
}
