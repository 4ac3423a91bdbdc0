/** Checks the parameters of an OAuth authorization request, and builds the redirect back to the client. */
import { fail } from "../../base/result.ts";
import { isSameResource, type Issuer } from "./issuer.ts";
import { matchesRedirect, MAX_REDIRECT_URI } from "./redirects.ts";
import type { AuthorizationRequest, OAuthClient } from "./rows.ts";
import { parseScopes, RESOURCE_SCOPES, type Scope } from "./scopes.ts";

/** The maximum length of the longest parameters, in characters. */
const MAX_CLIENT_ID = 2_000;
const MAX_STATE = 4_000;

/** The errors that are sent to the client (RFC 6749, section 4.1.2.1; RFC 8707, section 2). */
type AuthorizeError =
  | "invalid_request"
  | "unsupported_response_type"
  | "invalid_scope"
  | "invalid_target"
  | "access_denied";

/** The result of checking the parameters of `/authorize`. */
type Checked =
  | { ok: true; request: Omit<AuthorizationRequest, "browser"> }
  /** An error that a redirect returns to the client. */
  | { ok: false; error: "redirect"; location: string }
  /** An error that is shown to the person, because there is no valid address to redirect to. */
  | { ok: false; error: "no_redirect"; message: string };

/**
 * Checks the parameters of an authorization request, first the client and its redirect URI: all other
 * errors are sent to that URI. Unknown parameters are ignored; a known one may occur once.
 */
export async function checkRequest(
  issuer: Issuer,
  search: string,
  clients: {
    find(id: string): Promise<OAuthClient | null>;
    /** Returns why a client that was not found is refused, if it says anything about itself. */
    problemOf(id: string): string | undefined;
  },
): Promise<Checked> {
  const params = new URLSearchParams(search);
  const id = single(params, "client_id", MAX_CLIENT_ID);
  if (!id.ok || id.value === null) return refuse("The request does not name the app.");
  const redirect = single(params, "redirect_uri", MAX_REDIRECT_URI);
  if (!redirect.ok || redirect.value === null) {
    return refuse("The request does not say which address of the app to return to.");
  }
  const client = await clients.find(id.value);
  if (client === null) return refuse(clients.problemOf(id.value) ?? UNKNOWN_CLIENT);

  const redirect_uri = redirect.value;
  if (!client.redirect_uris.some((registered) => matchesRedirect(redirect_uri, registered))) {
    return refuse("The request would return to an address that the app has not registered.");
  }
  const state = single(params, "state", MAX_STATE);
  const details = state.ok ? checkDetails(issuer, params) : fail("invalid_request", {
    message: `Send state once, with at most ${MAX_STATE} characters.`,
  });
  if (!details.ok) {
    const { error, message } = details;
    const location = redirectTo(redirect_uri, {
      error,
      error_description: message,
      state: state.ok ? state.value : null,
      iss: issuer.issuer,
    });
    return { ok: false, error: "redirect", location };
  }
  return {
    ok: true,
    request: {
      organisation: issuer.organisation,
      issuer: issuer.issuer,
      client_id: client.id,
      client_name: client.name,
      client_kind: client.kind,
      redirect_uri,
      challenge: details.challenge,
      scopes: withRefresh(details.scopes, client),
      resource: details.resource,
      state: state.ok ? state.value : null,
    },
  };
}

const UNKNOWN_CLIENT = "The app is not registered here, or its registration has expired.";

/** Checks everything that does not concern the client. */
function checkDetails(issuer: Issuer, params: URLSearchParams) {
  const invalid = (message: string, error: AuthorizeError = "invalid_request") =>
    fail(error, { message });
  const type = single(params, "response_type", 100);
  if (!type.ok || type.value === null) return invalid("Send response_type=code once.");
  if (type.value !== "code") {
    return invalid("Only response_type=code is supported.", "unsupported_response_type");
  }
  const challenge = single(params, "code_challenge", 200);
  if (!challenge.ok || challenge.value === null || !/^[\w-]{43}$/.test(challenge.value)) {
    return invalid("PKCE is required: send code_challenge once, a SHA-256 in base64url.");
  }
  const method = single(params, "code_challenge_method", 100);
  if (!method.ok || method.value !== "S256") {
    return invalid("Send code_challenge_method=S256 once.");
  }
  const resource = single(params, "resource", MAX_REDIRECT_URI);
  if (!resource.ok) return invalid("Send resource once.", "invalid_target");
  const { resource: mcp, pushResource } = issuer;
  const named = resource.value ?? mcp;
  const target = [mcp, pushResource].find((each) => isSameResource(named, each));
  if (target === undefined) {
    return invalid(`The resources here are ${mcp} and ${pushResource}.`, "invalid_target");
  }
  const purpose = target === mcp ? "mcp" : "notifications";
  const scope = single(params, "scope", 500);
  if (!scope.ok) {
    return invalid("Send scope once, with at most 500 characters.", "invalid_scope");
  }
  const scopes = parseScopes(scope.value ?? "", purpose);
  if (scopes === null) {
    const known = [...RESOURCE_SCOPES[purpose], "offline_access"].join(", ");
    return invalid(`The scopes of this resource are ${known}.`, "invalid_scope");
  }
  return {
    ok: true,
    challenge: challenge.value,
    resource: target,
    scopes,
  } as const;
}

/**
 * Adds `offline_access` for a client that uses refresh tokens, because some never ask for it and would
 * lose their connection after an hour.
 */
const withRefresh = (scopes: Scope[], { refreshes }: OAuthClient): Scope[] =>
  refreshes && !scopes.includes("offline_access") ? [...scopes, "offline_access"] : scopes;

/** Reads a parameter that may occur once. An empty one counts as missing (RFC 6749, section 3.1). */
function single(params: URLSearchParams, name: string, maxLength: number) {
  const values = params.getAll(name);
  if (values.length > 1 || (values[0]?.length ?? 0) > maxLength) return { ok: false } as const;
  return { ok: true, value: values[0] || null } as const;
}

const refuse = (message: string): Checked => ({ ok: false, error: "no_redirect", message });

/** Adds parameters to a redirect URI, which is otherwise kept as the client wrote it. */
export function redirectTo(uri: string, params: Record<string, string | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) query.set(name, value);
  }
  const separator = !uri.includes("?") ? "?" : /[?&]$/.test(uri) ? "" : "&";
  return `${uri}${separator}${query}`;
}
