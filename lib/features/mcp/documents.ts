/** The MCP discovery documents of an organisation, and the links to them in headers and pages. */
import type { Manifest } from "./manifest.ts";

/** The path of the server card on the marketing host and on the MCP host (spec 4.4). */
export const SERVER_CARD_PATH = "/.well-known/mcp/server-card.json";
/** The path of the server descriptor on both hosts. */
export const SERVER_DESCRIPTOR_PATH = "/.well-known/mcp";

/** Returns the server card (spec 2.7). */
export function serverCard(manifest: Manifest) {
  const { tools, resources, prompts } = manifest.capabilities;
  return {
    $schema: "https://modelcontextprotocol.io/schemas/server-card/v1.0",
    version: "1.0",
    protocolVersion: manifest.protocolVersion,
    serverInfo: {
      name: manifest.serverName,
      version: manifest.version,
      description: manifest.description,
      homepage: manifest.siteBaseUrl,
    },
    transport: { type: "streamable-http", url: manifest.endpoint },
    capabilities: { tools, resources, prompts },
    authentication: {
      required: false,
      methods: ["oauth2"],
      note: "Unauthenticated access available; OAuth 2.1 with PKCE for enhanced access",
    },
    contact: { email: manifest.contactEmail },
  };
}

/** Returns the server descriptor (spec 2.7). */
export function serverDescriptor(manifest: Manifest) {
  return {
    mcp_version: "1.0",
    server_name: manifest.serverName,
    server_version: manifest.version,
    endpoints: { streamable_http: manifest.endpoint },
    capabilities: manifest.capabilities,
    authentication: {
      required: false,
      methods: ["oauth2"],
      oauth2: {
        authorization_endpoint: `${manifest.mcpBaseUrl}/authorize`,
        token_endpoint: `${manifest.mcpBaseUrl}/token`,
      },
    },
    security: {
      tls_required: true,
      min_tls_version: "1.2",
      security_contact: manifest.contactEmail,
    },
    rate_limits: { requests_per_minute: manifest.requestsPerMinute },
  };
}

/** Returns the `Link` header of every response of a marketing site (spec 4.4, RFC 8288). */
export function linkHeader(manifest: Manifest): string {
  return `<${manifest.endpoint}>; rel="mcp-server"; type="application/json"`;
}

/** Returns the `<link>` tags in the head of every page of a marketing site, in order (spec 4.4). */
export function headLinks(manifest: Manifest) {
  const card = `${manifest.siteBaseUrl}${SERVER_CARD_PATH}`;
  return [
    { rel: "mcp-server", href: manifest.endpoint, title: manifest.title },
    { rel: "mcp-server-card", href: card, type: "application/json" },
  ];
}
