/**
 * The site as `deno task serve` runs it, with a store on disk of its own.
 *
 * @module
 */
import { parseConfig } from "../lib/app/config.ts";
import { createServices } from "../lib/app/services.ts";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { freePort, type Site } from "../tests/site.ts";
import type { BenchRequest } from "./client.ts";
import type { Target } from "./compare.ts";
import { type ServerProcess, startServe } from "./processes.ts";

/**
 * A served site. Its services are those of this process on the same store: they can fill the store, but
 * see nothing that the server has only in memory.
 */
export interface ServedSite extends ServerProcess, Site {
  /** Returns a target for a load. */
  target(surface: SurfaceName, ...requests: Omit<BenchRequest, "host">[]): Target;
}

/** Turns off the limits that a load would exceed. */
const ENV = {
  APP_SECRET: "A".repeat(43),
  CODE_DAILY_BUDGET: "100000",
  CONTACT_CLIENT_LIMIT: "0",
  MCP_RATE_LIMIT: "0",
  SIGN_IN_CLIENT_LIMIT: "0",
};

/**
 * Serves the last build with a new store until it is disposed of.
 *
 * @example
 * ```ts
 * await using site = await serveSite();
 * const { rate } = await load(site.port, site.target("trust", { path: "/terms" }).requests);
 * ```
 */
export async function serveSite(env: Record<string, string> = {}): Promise<ServedSite> {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const all = { ...ENV, KV_PATH: `${folder}/store.kv`, ...env };
  const server = await startServe(port, all);
  const config = parseConfig({ ...all, PORT: String(port) });
  const services = createServices(config, await openKv(config.kvPath));
  const { surfaces } = services;
  const fetch = createLocalFetch();
  const urlOf = (surface: SurfaceName, path?: string) => new URL(surfaces.url(surface, path)!);
  return {
    ...server,
    services,
    handler: (request) => fetch(request),
    request: (surface, path, init) => fetch(urlOf(surface, path), init),
    target: (surface, ...requests) => ({
      ...server,
      requests: requests.map((request) => ({ host: urlOf(surface).host, ...request })),
    }),
    async [Symbol.asyncDispose]() {
      await services.close();
      await server[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
