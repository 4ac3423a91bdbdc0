/** The surfaces of design section 4; a relay has a host of its own and is none of these. */
export const SURFACE_NAMES = [
  "workbench",
  "site",
  "foundation",
  "commercial",
  "investor",
  "foundation-mcp",
  "commercial-mcp",
  "foundation-console",
  "commercial-console",
  "api",
  "trust",
] as const;

export type SurfaceName = typeof SURFACE_NAMES[number];

/** What a surface is for; both organisations' consoles are of one kind, for example. */
export type SurfaceKind =
  | "workbench"
  | "site"
  | "marketing"
  | "investor"
  | "mcp"
  | "console"
  | "api"
  | "trust";

export type OrganisationKey = "foundation" | "commercial";

/** The hosts of development, without the port. */
export const DEVELOPMENT_HOSTS: Record<SurfaceName, string[]> = {
  "workbench": ["localhost", "127.0.0.1", "[::1]"],
  "site": ["site.localhost"],
  "foundation": ["foundation.localhost"],
  "commercial": ["commercial.localhost"],
  "investor": ["investor.localhost"],
  "foundation-mcp": ["mcp.foundation.localhost"],
  "commercial-mcp": ["mcp.commercial.localhost"],
  "foundation-console": ["ops.foundation.localhost"],
  "commercial-console": ["ops.commercial.localhost"],
  "api": ["api.localhost"],
  "trust": ["trust.localhost"],
};
