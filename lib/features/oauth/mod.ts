/**
 * The authorization servers of the MCP hosts (design, section 14): OAuth 2.1 with PKCE for clients of
 * `/mcp` and for apps that register phones.
 *
 * @module
 */
export * from "./rows.ts";
export { agentData, type Agents } from "./agents.ts";
export { REGISTRATION_LIMIT } from "./clients.ts";
export {
  allowedBy,
  type Approver,
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
export { issuerOrigin, type StoredRequest } from "./decisions.ts";
export { type Issuer, resourceMetadata, serverMetadata } from "./issuer.ts";
export { grantsOf, liveGrant, liveGrants, type OnGrantEnd, revokeGrant } from "./grants.ts";
export { type Registrant, requireRegistrant } from "./registrant.ts";
export { createOAuth, type OAuth } from "./oauth.ts";
export {
  formActionOf,
  isLoopback,
  isRedirectUri,
  matchesRedirect,
  redirectHost,
} from "./redirects.ts";
export { type Network } from "./pinned_get.ts";
export { METADATA, oauthError, oauthFailure, oauthJson, programCors } from "./responses.ts";
export { type Purpose, purposeOf, type Scope, SCOPE_NAMES, SCOPE_TEXTS, SCOPES } from "./scopes.ts";
export { issuerOfState, type IssuerState, pushMetadataOfState } from "./state.ts";
export { readTokenForm } from "./token_request.ts";
export { createTokens, TOKEN_REQUESTS_PER_MINUTE, type Tokens } from "./tokens.ts";
