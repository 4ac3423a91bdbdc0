/** The surfaces of the site as configured: their hosts, URLs, titles and routes. */
import {
  createRouteMatcher,
  type Names,
  type OrganisationKey,
  type Route,
  routesOf,
  type SignIn,
  type SurfaceKind,
  type SurfaceName,
  type SurfaceRow,
  SURFACES,
  type SurfaceTable,
} from "./table.ts";

/** The part of the configuration that surfaces depend on. */
interface SurfaceSettings {
  env: "development" | "production";
  port: number;
  surfaceHosts: Partial<Record<SurfaceName, string[]>>;
  organisations: Record<OrganisationKey, { name: string }>;
  productName: string;
}

/** A row of the table with the configured names filled in. */
interface SurfaceInfo
  extends Omit<Required<SurfaceRow>, "title" | "purpose" | "signIn" | "routes" | "kind"> {
  name: SurfaceName;
  kind: SurfaceKind;
  title: string;
  purpose: string;
  signIn: (Omit<SignIn, "product" | "lead"> & { product: string; lead: string }) | null;
  /** Every path that it serves, and the paths that are off here, with the reason. */
  routes: readonly Route[];
  /** True if it also serves every path of every other surface. */
  servesAll: boolean;
}

/** A surface that this process serves. */
export interface Surface extends SurfaceInfo {
  /** The start of its URLs, without a trailing slash; never derived from a request. */
  baseUrl: string;
  serves(pathname: string): boolean;
}

/** The surfaces that this deployment serves. */
export interface Surfaces {
  all: readonly Surface[];
  /** Every surface in the table, including those that are not served here. */
  known: readonly SurfaceInfo[];
  /** Returns a surface, or undefined if it is not served here. */
  get(name: SurfaceName): Surface | undefined;
  /** Returns a URL on a surface, or null if the surface is not served here. */
  url(name: SurfaceName, path?: string): string | null;
  /** Returns the base URL for links from one surface to another. The workbench serves all of them. */
  baseFrom(surface: Surface, name: SurfaceName): string | null;
  /** Returns the surface of a host's name, in lower case and without a port. */
  byHost(hostname: string): Surface | undefined;
  /** Returns the surface of an `Origin` header's value. */
  byOrigin(origin: string): Surface | undefined;
  isOwnOrigin(origin: string): boolean;
}

/**
 * Creates the surfaces of a configuration.
 *
 * @param table defaults to {@link SURFACES}; a test may add a row
 */
export function createSurfaces(
  config: SurfaceSettings,
  table: SurfaceTable = SURFACES,
): Surfaces {
  const names: Names = {
    foundation: config.organisations.foundation.name,
    commercial: config.organisations.commercial.name,
    product: config.productName,
  };
  const known = Object.entries(table).map(([name, row]) =>
    describe(name as SurfaceName, row, names, table)
  );
  const all: Surface[] = [];
  const byHost = new Map<string, Surface>();
  const byOrigin = new Map<string, Surface>();
  for (const info of known) {
    const hosts = config.surfaceHosts[info.name];
    if (hosts === undefined) continue;
    const surface = {
      ...info,
      baseUrl: originOf(hosts[0], config),
      serves: createRouteMatcher(info.routes),
    };
    all.push(surface);
    for (const host of hosts) {
      const origin = originOf(host, config);
      byOrigin.set(origin, surface);
      byHost.set(new URL(origin).hostname, surface);
    }
  }
  const get = (name: SurfaceName) => all.find((surface) => surface.name === name);
  const url = (name: SurfaceName, path = "") => {
    const surface = get(name);
    return surface === undefined ? null : surface.baseUrl + path;
  };
  return {
    all,
    known,
    get,
    url,
    baseFrom: (surface, name) => surface.servesAll ? surface.baseUrl : url(name),
    byHost: (hostname) => byHost.get(hostname),
    byOrigin: (origin) => byOrigin.get(origin),
    isOwnOrigin: (origin) => byOrigin.has(origin),
  };
}

function describe(
  name: SurfaceName,
  row: SurfaceRow,
  names: Names,
  table: SurfaceTable,
): SurfaceInfo {
  const { signIn } = row;
  return {
    navigation: [],
    holders: false,
    callsApi: false,
    contactForm: false,
    advertisesMcp: false,
    indexed: [],
    ...row,
    name,
    kind: row.kind as SurfaceKind,
    title: row.title(names),
    purpose: row.purpose(names),
    signIn: signIn === undefined
      ? null
      : { ...signIn, product: signIn.product(names), lead: signIn.lead(names) },
    routes: routesOf(row, table),
    servesAll: row.routes === "all",
  };
}

export const developmentHosts = (
  table: SurfaceTable = SURFACES,
): Partial<Record<SurfaceName, string[]>> =>
  Object.fromEntries(Object.entries(table).map(([name, { hosts }]) => [name, [...hosts]]));

/**
 * Returns a host below a domain for each surface: that of development, with the domain in place of
 * `localhost`. The witness is left out, because production runs it in a process of its own.
 */
export const hostsBelow = (
  domain: string,
  table: SurfaceTable = SURFACES,
): Partial<Record<SurfaceName, string[]>> =>
  Object.fromEntries(
    Object.entries(developmentHosts(table))
      .filter(([name, [host]]) => name !== "witness" && host.endsWith(".localhost"))
      .map(([name, [host]]) => [name, [host.replace(/localhost$/, domain)]]),
  );

/** Returns the origin of a configured host, which may be a full origin itself. */
export function originOf(
  host: string,
  { env, port }: Pick<SurfaceSettings, "env" | "port">,
): string {
  if (host.includes("://")) return host;
  if (env === "production") return `https://${host}`;
  return port === 80 ? `http://${host}` : `http://${host}:${port}`;
}

/**
 * Returns the name of the publisher: the host of the trust surface. Without a trust surface no
 * records are registered, and the name is not used.
 */
export const publisherOf = (surfaces: Surfaces): string =>
  new URL(surfaces.url("trust") ?? "http://localhost").host;
