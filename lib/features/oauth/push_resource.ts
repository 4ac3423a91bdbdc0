import type { OAuthMode } from "./variables.ts";
import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { issuerOf, PUSH_PATH } from "./issuer.ts";
import { RESOURCE_SCOPES } from "./scopes.ts";

/** The push registration of a trust surface, as a protected resource (RFC 9728). */
export interface PushResource {
  resource: string;
  /** The URL of the metadata that challenges refer clients to. */
  resourceMetadataUrl: string;
  /** The identifiers of the authorization servers that issue tokens for it. */
  issuers: readonly string[];
}

/**
 * Returns the push registration of a surface. Null unless it is the trust surface of an MCP host that
 * is served here.
 */
export function pushResourceOf(
  { baseUrl }: Surface,
  surfaces: Surfaces,
  mode: OAuthMode,
): PushResource | null {
  const resource = baseUrl + PUSH_PATH;
  const issuers = surfaces.all.filter((surface) => surface.serves("/mcp"))
    .map((surface) => issuerOf(surface, surfaces, mode))
    .filter((issuer) => issuer !== null && issuer.pushResource === resource)
    .map((issuer) => issuer!.issuer);
  if (issuers.length === 0) return null;
  const resourceMetadataUrl = `${baseUrl}/.well-known/oauth-protected-resource${PUSH_PATH}`;
  return { resource, resourceMetadataUrl, issuers };
}

/** Returns the metadata of the push registration (RFC 9728). */
export const pushResourceMetadata = ({ resource, issuers }: PushResource) => ({
  resource,
  authorization_servers: issuers,
  scopes_supported: RESOURCE_SCOPES.notifications,
  bearer_methods_supported: ["header"],
});
