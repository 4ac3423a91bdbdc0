import type { Config } from "../config.ts";
import {
  type OrganisationKey,
  SURFACE_NAMES,
  type SurfaceKind,
  type SurfaceName,
} from "./names.ts";

/** What one host shows. */
export interface Surface {
  name: SurfaceName;
  kind: SurfaceKind;
  organisation: OrganisationKey;
  /** Short, for lists and titles. */
  title: string;
  /** One sentence for people and agents. */
  purpose: string;
  /** Where its addresses begin, without a slash at the end; never taken from a request. */
  baseUrl: string;
}

/** The surfaces that this deployment serves. */
export interface Surfaces {
  all: readonly Surface[];
  /** Undefined for a surface that is not served here. */
  get(name: SurfaceName): Surface | undefined;
  /** An address on a surface; on one that is not served here, null. */
  url(name: SurfaceName, path?: string): string | null;
  /** The surface of a `Host` header's value, its port ignored. */
  byHost(host: string): Surface | undefined;
  /** Whether a browser origin is one of ours. */
  isOwnOrigin(origin: string): boolean;
}

type Facts = Pick<Surface, "kind" | "organisation" | "title" | "purpose">;

function facts({ organisations, productName }: Config): Record<SurfaceName, Facts> {
  const { foundation, commercial } = organisations;
  const pair = (kind: SurfaceKind, title: string, purpose: (name: string) => string) => ({
    foundation: of(kind, "foundation", `${foundation.name}: ${title}`, purpose(foundation.name)),
    commercial: of(kind, "commercial", `${commercial.name}: ${title}`, purpose(commercial.name)),
  });
  const marketing = pair("marketing", "site", (name) => `The public site of ${name}.`);
  const mcp = pair("mcp", "MCP server", (name) => `The MCP server of ${name}, for agents.`);
  const console = pair("console", "console", (name) => `The operations console of ${name}.`);
  return {
    "workbench": of("workbench", "commercial", "Workbench", "Every surface, for development."),
    "site": of("site", "commercial", productName, "Australian qualifications, to be searched."),
    "foundation": marketing.foundation,
    "commercial": marketing.commercial,
    "investor": of("investor", "commercial", "Investors", "Contact for investors and partners."),
    "foundation-mcp": mcp.foundation,
    "commercial-mcp": mcp.commercial,
    "foundation-console": console.foundation,
    "commercial-console": console.commercial,
    "api": of("api", "commercial", "API", "Endpoints that other pages and programs call."),
    "trust": of("trust", "commercial", "Trust", "Terms, privacy and verification."),
  };
}

function of(
  kind: SurfaceKind,
  organisation: OrganisationKey,
  title: string,
  purpose: string,
): Facts {
  return { kind, organisation, title, purpose };
}

/**
 * The surfaces of a configuration.
 *
 * @example
 * ```ts
 * const surfaces = createSurfaces(parseConfig({}));
 * surfaces.url("trust", "/terms"); // "http://trust.localhost:8000/terms"
 * ```
 */
export function createSurfaces(config: Config): Surfaces {
  const known = facts(config);
  const all: Surface[] = [];
  const byHost = new Map<string, Surface>();
  const origins = new Set<string>();
  for (const name of SURFACE_NAMES) {
    const hosts = config.surfaceHosts[name];
    if (hosts === undefined) continue;
    const surface = { name, ...known[name], baseUrl: originOf(hosts[0], config) };
    all.push(surface);
    for (const host of hosts) {
      const origin = originOf(host, config);
      origins.add(origin);
      byHost.set(new URL(origin).hostname, surface);
    }
  }
  const get = (name: SurfaceName) => all.find((surface) => surface.name === name);
  return {
    all,
    get,
    url(name, path = "") {
      const surface = get(name);
      return surface === undefined ? null : surface.baseUrl + path;
    },
    byHost: (host) => byHost.get(withoutPort(host)),
    isOwnOrigin: (origin) => origins.has(origin),
  };
}

/** The origin of a configured host, which may be a whole origin itself. */
export function originOf(host: string, { env, port }: Pick<Config, "env" | "port">): string {
  if (host.includes("://")) return host;
  if (env === "production") return `https://${host}`;
  return port === 80 ? `http://${host}` : `http://${host}:${port}`;
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, "").toLowerCase();
}
