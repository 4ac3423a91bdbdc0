/** The requests and responses of the authorization servers, and who may register phones. */
import { bearerChallenge, type ChallengeReason, readBearer } from "../../platform/http/bearer.ts";
import { isFormPost, readText } from "../../platform/http/body.ts";
import { type ClientContext, clientOf } from "../../platform/http/client_address.ts";
import type { CorsPolicy } from "../../platform/http/cors.ts";
import { RequestError, unwrap } from "../../platform/http/errors.ts";
import { publicJson, type PublicOptions } from "../../platform/http/public_file.ts";
import { fail, type Failure } from "../../base/result.ts";
import { plural } from "../../base/time.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { type Holder, type HolderState, requireHolder } from "../records/mod.ts";
import type { Issuer } from "./issuer.ts";
import type { OAuth } from "./oauth.ts";
import { type PushResource, pushResourceMetadata } from "./push_resource.ts";
import { RESOURCE_SCOPES } from "./scopes.ts";
import type { TokenForm } from "./token_request.ts";
import type { Tokens } from "./tokens.ts";
import type { OAuthMode } from "./variables.ts";

/** Returns the policy of endpoints that clients in browsers call, from any origin. */
export const programCors = (methods: readonly string[]): CorsPolicy => ({
  isAllowed: () => true,
  anyOrigin: true,
  methods,
  requestHeaders: ["accept", "authorization", "content-type", "mcp-protocol-version"],
  responseHeaders: ["WWW-Authenticate", "Retry-After"],
});

/** How metadata is served. A change of `MCP_OAUTH` takes effect when caches no longer keep it. */
export const METADATA: PublicOptions = {
  cacheControl: "public, max-age=300",
  cors: programCors(["GET", "HEAD"]),
};

/** The properties of the routes that the metadata describes. */
export const OAUTH_ROUTE = {
  audience: "programs",
  notInOpenApi: "The authorization server of agents, which its metadata describes.",
} as const;

const UNCACHED = { "cache-control": "no-store", "pragma": "no-cache" };

/** Returns a response of an OAuth endpoint, which no cache may keep (RFC 6749, section 5.1). */
export const oauthJson = (
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response => Response.json(body, { status, headers: { ...UNCACHED, ...headers } });

/** Returns an error of an OAuth endpoint (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export const oauthError = (
  status: number,
  error: string,
  description: string,
  headers?: Record<string, string>,
): Response => oauthJson({ error, error_description: description }, status, headers);

/**
 * Returns the response for a failure. Only `invalid_client` is a 401, and it names the scheme that the
 * client used (RFC 6749, section 5.2).
 *
 * @param subject what there were too many of, for `rate_limited`
 */
export function oauthFailure(
  { error, message = "", retryAfterSeconds, scheme }: Failure & { scheme?: "Basic" },
  subject = "requests",
): Response {
  if (retryAfterSeconds !== undefined) {
    const wait = plural(retryAfterSeconds, "second");
    const headers = { "retry-after": String(retryAfterSeconds) };
    return oauthError(429, error, `Too many ${subject}. Try again in ${wait}.`, headers);
  }
  // RFC 7617, section 2: the scheme needs a realm.
  const headers = scheme && { "www-authenticate": `${scheme} realm="token"` };
  return oauthError(error === "invalid_client" ? 401 : 400, error, message, headers);
}

/** The part of a handler's state that selects the authorization server. */
export interface IssuerState {
  services: { oauth: OAuth };
  surface: Surface;
}

/**
 * Returns the authorization server of a handler's surface.
 *
 * @param mode the only value of `MCP_OAUTH` with which it is found; default: every value
 * @throws {RequestError} 404 if people cannot sign in here
 */
export function issuerOfState({ services, surface }: IssuerState, mode?: OAuthMode): Issuer {
  const issuer = services.oauth.issuerOf(surface);
  if (issuer === null || (mode ?? issuer.mode) !== issuer.mode) throw new RequestError(404);
  return issuer;
}

/**
 * Returns a handler that serves metadata of the surface's authorization server.
 *
 * @param mode as for {@linkcode issuerOfState}
 */
export const publishMetadata = (metadataOf: (issuer: Issuer) => unknown, mode: OAuthMode) =>
  publicJson<IssuerState>((state) => metadataOf(issuerOfState(state, mode)), METADATA);

/** Serves the metadata of a trust surface's push registration; 404 if apps cannot register phones. */
export const publishPushMetadata = publicJson<IssuerState>(({ services, surface }) => {
  const resource = services.oauth.pushResourceOf(surface);
  if (resource === null) throw new RequestError(404);
  return pushResourceMetadata(resource);
}, METADATA);

/** The largest form, in bytes. */
const FORM_LIMIT = 16 * 1024;

/** Why a request has no form that can be read. */
export type FormFailure = Failure<"invalid_request" | "invalid_client"> & {
  message: string;
  /** The scheme that the response names, because the client used it (RFC 6749, section 5.2). */
  scheme?: "Basic";
};

/**
 * Reads the form of `/token` or `/revoke`, which a public client sends without a secret. An empty
 * parameter counts as omitted (RFC 6749, section 3.2).
 */
export async function readTokenForm(
  req: Request,
): Promise<{ ok: true; form: TokenForm } | FormFailure> {
  const text = isFormPost(req) ? await readText(req, FORM_LIMIT) : undefined;
  if (text === undefined) {
    return refuseForm("invalid_request", `Send a form with at most ${FORM_LIMIT} bytes.`);
  }
  const form: TokenForm = Object.assign(Object.create(null), { resource: [] });
  for (const [name, value] of new URLSearchParams(text)) {
    if (value === "") continue;
    if (name === "resource") form.resource.push(value);
    else if (form[name] === undefined) form[name] = value;
    else return refuseForm("invalid_request", "A parameter was sent more than once.");
  }
  if (req.headers.has("authorization") || form.client_secret !== undefined) {
    const message = "Clients are public: send client_id, without a secret.";
    return { ...refuseForm("invalid_client", message), scheme: "Basic" };
  }
  return { ok: true, form };
}

const refuseForm = (error: FormFailure["error"], message: string): FormFailure => ({
  ...fail(error),
  message,
});

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
