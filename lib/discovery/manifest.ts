/** The MCP revision that the servers implement; spec 9.1: never raised beyond that. */
export const PROTOCOL_VERSION = "2025-03-26";

/**
 * All that one organisation's MCP server says of itself. The server card, the descriptor, the
 * `Link` header, the `<link>` tags and `initialize` are drawn from it, so they cannot disagree.
 */
export interface Manifest {
  readonly organisation: "foundation" | "commercial";
  /** The organisation's name, for people. */
  readonly organisationName: string;
  /** The server's programmatic name: `serverInfo.name`, and what a client may register it under. */
  readonly serverName: string;
  /** The server's name for people. */
  readonly title: string;
  readonly version: "1.0.0";
  readonly description: string;
  /** The marketing site. */
  readonly homepage: string;
  /** `{mcp_base_url}/mcp` */
  readonly endpoint: string;
  /** Without a slash at the end, like `siteBaseUrl`. */
  readonly mcpBaseUrl: string;
  readonly siteBaseUrl: string;
  readonly contactEmail: string;
  readonly protocolVersion: typeof PROTOCOL_VERSION;
  readonly capabilities: Capabilities;
  /** What is declared, and held, for one client address. */
  readonly requestsPerMinute: number;
}

/** What the server and its client may use of the protocol. */
export interface Capabilities {
  readonly tools: true;
  readonly resources: false;
  readonly prompts: false;
  readonly sampling: false;
  readonly roots: false;
}

/** What differs between the two organisations (spec 2.7, last paragraph). */
export interface ManifestInput {
  organisation: Manifest["organisation"];
  /** The organisation's name, for people. */
  name: string;
  description: string;
  contactEmail: string;
  /** `{site_base_url}`: the marketing site. */
  siteBaseUrl: string;
  /** `{mcp_base_url}`: the MCP host. */
  mcpBaseUrl: string;
  /** Default: the specification's 60. */
  requestsPerMinute?: number;
}

/**
 * The manifest of one organisation's MCP server.
 *
 * @example
 * ```ts
 * const manifest = createManifest({
 *   organisation: "foundation",
 *   name: "Open Records Foundation",
 *   description: "Steward of the open standard for verifiable records.",
 *   contactEmail: "contact@foundation.example",
 *   siteBaseUrl: "https://foundation.example",
 *   mcpBaseUrl: "https://mcp.foundation.example",
 * });
 * manifest.serverName; // "open-records-foundation"
 * manifest.endpoint; // "https://mcp.foundation.example/mcp"
 * ```
 */
export function createManifest(input: ManifestInput): Manifest {
  const siteBaseUrl = withoutTrailingSlash(input.siteBaseUrl);
  const mcpBaseUrl = withoutTrailingSlash(input.mcpBaseUrl);
  return {
    organisation: input.organisation,
    organisationName: input.name,
    serverName: serverNameOf(input.name, input.organisation),
    title: `${input.name} MCP server`,
    version: "1.0.0",
    description: input.description,
    homepage: siteBaseUrl,
    endpoint: `${mcpBaseUrl}/mcp`,
    mcpBaseUrl,
    siteBaseUrl,
    contactEmail: input.contactEmail,
    protocolVersion: PROTOCOL_VERSION,
    capabilities: {
      tools: true,
      resources: false,
      prompts: false,
      sampling: false,
      roots: false,
    },
    requestsPerMinute: input.requestsPerMinute ?? 60,
  };
}

/**
 * The programmatic name of an organisation's server. Clients accept letters, digits, `-` and `_`.
 *
 * @example
 * ```ts
 * serverNameOf("Açme & Söhne", "commercial"); // "acme-sohne"
 * ```
 */
export function serverNameOf(name: string, organisation: Manifest["organisation"]): string {
  const ascii = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || organisation;
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, "");
}
