/**
 * The authorization servers of the MCP hosts (design, section 14): OAuth 2.1 with PKCE for clients of
 * `/mcp`.
 *
 * @module
 */
export * from "./rows.ts";
export {
  formActionOf,
  isLoopback,
  isRedirectUri,
  matchesRedirect,
  redirectHost,
} from "./redirects.ts";
export { RESOURCE_SCOPES, type Scope, SCOPE_TEXTS, SCOPES, scopeSchema } from "./scopes.ts";
