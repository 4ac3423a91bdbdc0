/** The MCP revision that the servers implement (spec 9.1). */
export const PROTOCOL_VERSION = "2025-03-26";

const CAPABILITIES = {
  tools: true,
  resources: false,
  prompts: false,
  sampling: false,
  roots: false,
} as const;

/** The values that differ between the two organisations (spec 2.7). */
interface ManifestInput {
  organisation: "foundation" | "commercial";
  organisationName: string;
  description: string;
  contactEmail: string;
  /** `{site_base_url}`: the marketing site. */
  siteBaseUrl: string;
  /** `{mcp_base_url}`: the MCP host. */
  mcpBaseUrl: string;
  /**
   * The declared and enforced limit for one client address; null for no limit. Defaults to 60, as
   * in the specification.
   */
  requestsPerMinute?: number | null;
}

/**
 * Everything that describes one organisation's MCP server. The server card, the descriptor, the
 * `Link` header, the `<link>` tags and `initialize` all read it, so that they always agree. Base
 * URLs have no trailing slash.
 */
export interface Manifest extends Readonly<Required<ManifestInput>> {
  /** `serverInfo.name`, and the name under which clients register the server. */
  readonly serverName: string;
  /** The server's display name. */
  readonly title: string;
  readonly version: "1.0.0";
  /** `{mcp_base_url}/mcp` */
  readonly endpoint: string;
  readonly protocolVersion: typeof PROTOCOL_VERSION;
  readonly capabilities: typeof CAPABILITIES;
}

/** Creates the manifest of one organisation's MCP server. */
export function createManifest(input: ManifestInput): Manifest {
  const { organisation, organisationName, requestsPerMinute = 60 } = input;
  const mcpBaseUrl = withoutTrailingSlash(input.mcpBaseUrl);
  return {
    ...input,
    requestsPerMinute,
    siteBaseUrl: withoutTrailingSlash(input.siteBaseUrl),
    mcpBaseUrl,
    serverName: serverNameOf(organisationName, organisation),
    title: `${organisationName} MCP server`,
    version: "1.0.0",
    endpoint: `${mcpBaseUrl}/mcp`,
    protocolVersion: PROTOCOL_VERSION,
    capabilities: CAPABILITIES,
  };
}

/**
 * Returns the identifier of an organisation's server. Clients accept letters, digits, `-` and `_`.
 *
 * @param organisation returned for a name that is mostly in another script than Latin
 *
 * @example
 * ```ts
 * serverNameOf("Größe & Cö.", "commercial"); // "groesse-coe"
 * ```
 */
export function serverNameOf(name: string, organisation: Manifest["organisation"]): string {
  const latin = name.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  if (latin * 2 < letters) return organisation;
  const ascii = name.normalize("NFC").toLowerCase()
    .replace(SPECIAL_LETTERS, (letter) => LETTERS[letter])
    .normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ascii.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || organisation;
}

/**
 * German umlauts, and letters that do not consist of a base letter and a mark. A library for all
 * scripts would add its tables to the script of the badge's dialog, which calls this too.
 */
const LETTERS: Record<string, string> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŋ: "ng",
  ŧ: "t",
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, "");
