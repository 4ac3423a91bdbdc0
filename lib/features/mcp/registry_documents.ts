/** The documents that list an MCP server in public registries and AI catalogues. */
import type { Manifest } from "./manifest.ts";

/** The path of the AI catalogue on the marketing host and on the MCP host. */
export const AI_CATALOG_PATH = "/.well-known/ai-catalog.json";
/** The path of the server card for catalogues on the MCP host, below the endpoint (SEP-2127). */
export const REGISTRY_CARD_PATH = "/mcp/server-card";
/** The path of the entry for the MCP registry on the MCP host. */
export const REGISTRY_ENTRY_PATH = "/mcp/server.json";

export const AI_CATALOG_TYPE = "application/ai-catalog+json";
export const REGISTRY_CARD_TYPE = "application/mcp-server-card+json";

// The limits of both schemas, in characters.
const NAME_LIMIT = 200;
const TEXT_LIMIT = 100;

/**
 * Returns the server card that catalogues refer to (SEP-2127). Its fields differ from those of the
 * card that the specification defines; its name, version and URL are the same.
 */
export function registryCard(manifest: Manifest) {
  const { endpoint, protocolVersion } = manifest;
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...identity(manifest),
    remotes: [{
      type: "streamable-http",
      url: endpoint,
      supportedProtocolVersions: [protocolVersion],
    }],
  };
}

/** Returns `server.json`, with which the server is published in the MCP registry. */
export function registryEntry(manifest: Manifest) {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    ...identity(manifest),
    remotes: [{ type: "streamable-http", url: manifest.endpoint }],
  };
}

/** Returns the AI catalogue, which lists the server. It is empty if the MCP host is not served. */
export function aiCatalog(manifest: Manifest) {
  const { mcpBaseUrl, serverName } = manifest;
  return {
    specVersion: "1.0",
    entries: mcpBaseUrl === "" ? [] : [{
      identifier: `urn:air:${publisherDomain(manifest)}:mcp:${serverName}`,
      type: REGISTRY_CARD_TYPE,
      url: mcpBaseUrl + REGISTRY_CARD_PATH,
    }],
  };
}

/** Returns the fields that the card and the registry's entry share. */
function identity(manifest: Manifest) {
  const { description, mcpBaseUrl, organisation, serverName, siteBaseUrl, title, version } =
    manifest;
  const namespace = publisherDomain(manifest).split(".").reverse().join(".");
  return {
    name: `${namespace}/${serverName}`.slice(0, NAME_LIMIT),
    title: shorten(title),
    description: shorten(description),
    version,
    ...siteBaseUrl !== "" && { websiteUrl: siteBaseUrl },
    icons: [{
      src: `${mcpBaseUrl}/icons/${organisation}-512.png`,
      mimeType: "image/png",
      sizes: ["512x512"],
    }],
  };
}

/**
 * Returns the domain that publishes the server: the site's, or the MCP host itself if it is not below
 * the site's domain, because the registry accepts only URLs below the domain that a name states.
 */
function publisherDomain({ mcpBaseUrl, siteBaseUrl }: Manifest): string {
  const host = new URL(mcpBaseUrl).hostname;
  const domain = URL.parse(siteBaseUrl)?.hostname.replace(/^www\./, "");
  return domain !== undefined && host.endsWith(`.${domain}`) ? domain : host;
}

/** Shortens a text at the end of a word. */
function shorten(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  const start = text.slice(0, TEXT_LIMIT - 1);
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), TEXT_LIMIT / 2)).trimEnd()}…`;
}
