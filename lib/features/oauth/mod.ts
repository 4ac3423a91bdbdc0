/**
 * The authorization servers of the MCP hosts (docs/oauth.md): OAuth 2.1 with PKCE for clients of
 * `/mcp` and for apps that register phones.
 *
 * @module
 */
export { agentData } from "./agents.ts";
export { REGISTRATION_LIMIT } from "./clients.ts";
export {
  allowedBy,
  type ConnectionProblem,
  connectionProblem,
  consentPath,
  consentPolicy,
  type Destination,
  destinationOf,
  requestTokenOf,
  returnsByForm,
  shownMark,
} from "./consent.ts";
export type { StoredRequest } from "./decisions.ts";
export { liveGrant, liveGrants, type OnGrantEnd, revokeGrant, type UsedGrant } from "./grants.ts";
export { resourceMetadata, serverMetadata } from "./issuer.ts";
export { createOAuth, type OAuth } from "./oauth.ts";
export {
  issuerOfState,
  OAUTH_ROUTE,
  oauthError,
  oauthFailure,
  oauthJson,
  programCors,
  publishMetadata,
  publishPushMetadata,
  readTokenForm,
  type Registrant,
  requireRegistrant,
} from "./http.ts";
export { codes, type Grant, grants, type Handoff, type StoredToken, storedTokens } from "./rows.ts";
export { purposeOf, SCOPE_NAMES, SCOPE_TEXTS } from "./scopes.ts";
export { createTokens, TOKEN_REQUESTS_PER_MINUTE, type Tokens } from "./tokens.ts";
