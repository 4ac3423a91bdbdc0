/** The identity of an authorization server: its URLs, resources and published metadata. */
import type { OAuthMode } from "./variables.ts";
import type { OrganisationKey, Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { RESOURCE_SCOPES, SCOPES } from "./scopes.ts";

/** The authorization server of an MCP host, and the resources that it issues tokens for. */
export interface Issuer {
  mode: OAuthMode;
  organisation: OrganisationKey;
  /** Its identifier, which every response names as `iss`. */
  issuer: string;
  /** The start of the URLs of its endpoints. */
  base: string;
  /** The URL of the MCP endpoint, exactly as people type it. */
  resource: string;
  /** The URL where apps register phones, on the trust surface. */
  pushResource: string;
  /** The URL of the metadata that the MCP endpoint's challenges name (RFC 9728, section 5.1). */
  resourceMetadataUrl: string;
  /** The page that asks the person for consent. */
  consentUrl: string;
}

/** The URL where apps register phones for notifications, with a token for exactly this URL. */
export const PUSH_PATH = "/api/push/register";

/** The issuer's path if its metadata must not be found at the root. */
const ISSUER_PATH = "/oauth";

/**
 * Returns the authorization server of a surface with `/mcp`. Null if this deployment has no trust
 * surface, where people sign in.
 */
export function issuerOf(surface: Surface, surfaces: Surfaces, mode: OAuthMode): Issuer | null {
  const trust = surfaces.baseFrom(surface, "trust");
  if (trust === null || surfaces.get("trust") === undefined) return null;
  const { organisation, baseUrl: base } = surface;
  return {
    mode,
    organisation,
    issuer: mode === "published" ? base : base + ISSUER_PATH,
    base,
    resource: `${base}/mcp`,
    pushResource: trust + PUSH_PATH,
    resourceMetadataUrl: base +
      (mode === "published"
        ? "/.well-known/oauth-protected-resource/mcp"
        : "/oauth/protected-resource"),
    consentUrl: `${trust}/my-record/authorize`,
  };
}

/**
 * Returns whether an authorization server issued a code or grant. Codes and grants for
 * `/mcp` always come from its own server; those for notifications name theirs.
 */
export const isIssuedBy = (
  { base, resource, pushResource }: Issuer,
  row: { resource: string; server?: string },
): boolean => row.resource === resource || row.resource === pushResource && row.server === base;

/**
 * Returns whether a client means a resource: upper case in scheme and host, the default port, and a slash at the
 * end make no difference (RFC 8707, section 2; RFC 3986, section 6.2).
 */
export const isSameResource = (named: string, resource: string): boolean =>
  normal(named) === normal(resource);

const normal = (url: string): string => (URL.parse(url)?.href ?? url).replace(/\/$/, "");

/** Returns the metadata of the MCP endpoint (RFC 9728). */
export const resourceMetadata = ({ resource, issuer }: Issuer) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: RESOURCE_SCOPES.mcp,
  bearer_methods_supported: ["header"],
});

/** Returns the metadata of the authorization server (RFC 8414). */
export const serverMetadata = ({ issuer, base, resource, pushResource }: Issuer) => ({
  issuer,
  authorization_endpoint: `${base}/authorize`,
  token_endpoint: `${base}/token`,
  registration_endpoint: `${base}/register`,
  revocation_endpoint: `${base}/revoke`,
  scopes_supported: SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resource, pushResource], // RFC 9728, section 4
});
