/** Creates the whole app for a test, with a store in memory: the basis of all other test sites. */
import type { App } from "fresh";
import { type Config, parseConfig } from "../lib/app/config.ts";
import { TABLES } from "../lib/app/features.ts";
import { type ContactModule, readContactModule } from "../lib/features/contact/module.ts";
import type { Precompressed } from "../lib/platform/http/precompressed.ts";
import { z } from "zod";
import { DAY_MS } from "../lib/base/time.ts";
import { openKv, rulesOf, tableFinder } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import type { State } from "../lib/app/state.ts";
import { createServices, type ServiceOverrides, type Services } from "../lib/app/services.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { createApp } from "../main.ts";
import { type BuiltSite, builtSite } from "./built_site.ts";
import { sharingThreads } from "./shared_threads.ts";
import { stoppedPorts } from "./stopped_ports.ts";

/** The whole app, for requests without a socket. */
export interface Site extends AsyncDisposable {
  services: Services;
  handler: (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;
  /** Sends a request to a path of a surface, with the surface's `Host` header. */
  request(surface: SurfaceName, path: string, init?: RequestInit): Promise<Response>;
}

/** Replacements for parts of the site. */
export interface SiteOverrides extends ServiceOverrides {
  /**
   * Default: a new store in memory. The site's store has the limits of Deno Deploy, and accepts only
   * keys that a table declares.
   */
  kv?: Deno.Kv;
  /** Default: none. */
  precompressed?: Precompressed;
  /** Changes the parsed configuration, for example to fill in the values of a stand-in. */
  configure?: (config: Config) => Config;
  /** Adds routes to those of `routes/`. */
  addRoutes?: (app: App<State>) => void;
}

/** Any 32 bytes, because production requires a secret. */
const APP_SECRET = new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true });

/**
 * How long stores keep rows that have a lifetime. They would remove them by the real time, which is not that
 * of a test's clock.
 */
const KEPT_MS = 1_000 * DAY_MS;

/** The connection of a request that comes from no socket. */
const NO_SOCKET: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

let built: Promise<BuiltSite> | undefined;
let bundled: Promise<ContactModule> | undefined;

const build = () => built ??= builtSite();

/** Returns the build's contact module. */
export const contactModule = (): Promise<ContactModule> =>
  bundled ??= build().then(({ folder }) => readContactModule(folder));

/**
 * Creates the app with the production build, and with the test's own configuration and services. A site that is
 * created inside a test must be closed there.
 *
 * @example
 * ```ts
 * await using site = await createSite({ MCP_RATE_LIMIT: "0" });
 * const response = await site.request("trust", "/terms");
 * ```
 */
export async function createSite(
  env: Record<string, string> = {},
  { kv, precompressed, configure = (config) => config, addRoutes, ...overrides }: SiteOverrides =
    {},
): Promise<Site> {
  const { handlerOf } = await build();
  const config = configure(parseConfig({ APP_SECRET, ...env }, { table: overrides.table }));
  const store = limitKv(kv ?? await openPatientKv(), mustBeDeclared, () => KEPT_MS);
  const services = sharingThreads(() =>
    createServices(config, store, {
      print: () => {},
      contactModule,
      openWitnessKv: () => openKv(":memory:"),
      ...overrides,
    })
  );
  const app = createApp(services, precompressed);
  addRoutes?.(app);
  const handle = handlerOf(app);
  const handler: Site["handler"] = (req, info = NO_SOCKET) => handle(asBrowser(req), info);
  return {
    services,
    handler,
    request(surface, path, init) {
      const url = services.surfaces.url(surface, path)!;
      const headers = new Headers(init?.headers);
      if (!headers.has("host")) headers.set("host", new URL(url).host);
      return handler(new Request(url, { ...init, headers }));
    },
    [Symbol.asyncDispose]: () => services.close(),
  };
}

/**
 * Opens a store in memory, for which callers wait as long as a busy machine needs. Tests of a store that does not
 * respond open one of their own.
 */
async function openPatientKv(): Promise<Deno.Kv> {
  const kv = await openKv(":memory:");
  Object.assign(rulesOf(kv).deadlines, { callMs: HANG_MS, requestMs: HANG_MS });
  return kv;
}

/** The paths that are a page for browsers, and JSON for everything else. */
const PAGES_AND_JSON = ["/verify", "/check", "/my-record/log"];

/** Returns the request that a browser would send, for one that says nothing about what it accepts. */
function asBrowser(req: Request): Request {
  if (req.method !== "GET" && req.method !== "HEAD" || req.headers.has("accept")) return req;
  if (!PAGES_AND_JSON.includes(URL.parse(req.url)?.pathname ?? "")) return req;
  const headers = new Headers(req.headers);
  headers.set("accept", "text/html");
  return new Request(req, { headers });
}

const tableOf = tableFinder(TABLES);

/** Throws for a row that no table declares, or that its table declares differently. */
function mustBeDeclared(key: Deno.KvKey, set?: { value: unknown; expireIn?: number }) {
  const prefix = String(key[0]);
  const table = tableOf(key);
  if (table === undefined) refuseRow(`No table declares keys below "${prefix}".`);
  if (set === undefined) return;
  if (table.lifetime.removedBy === "store" && set.expireIn === undefined) {
    refuseRow(`Rows below "${prefix}" need expireIn, as their table declares.`);
  }
  if (prefix !== table.prefix) return; // an index
  const fits = table.value?.safeParse(set.value);
  if (fits?.error) refuseRow(`A row below "${prefix}": ${z.prettifyError(fits.error)}`);
}

function refuseRow(message: string): never {
  console.error(message); // the site turns the error into a response without details
  throw new Error(message);
}

/** Serves a handler on a free port of loopback until it is disposed of. */
export function serve(
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>,
): { port: number; [Symbol.asyncDispose](): Promise<void> } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  const { port } = server.addr;
  stoppedPorts.delete(String(port));
  return {
    port,
    [Symbol.asyncDispose]() {
      stoppedPorts.add(String(port));
      return server.shutdown();
    },
  };
}

/** Systems take the ports for connections, and for servers on port 0, from 32,768 up. */
const FIXED_PORTS = { first: 20_000, count: 12_000 };

/**
 * Returns a free port, for processes that must know it before they listen. Meanwhile, the system gives it
 * to no other server.
 */
export function freePort(): number {
  while (true) {
    const port = FIXED_PORTS.first + Math.floor(Math.random() * FIXED_PORTS.count);
    try {
      Deno.listen({ port, hostname: "127.0.0.1" }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** Sends the exact bytes of a request, which `fetch` might change, and returns the whole response. */
export async function sendRaw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  await connection.write(new TextEncoder().encode(text));
  let response = "";
  const decoder = new TextDecoder();
  for await (const chunk of connection.readable.values({ preventCancel: true })) {
    response += decoder.decode(chunk, { stream: true });
  }
  return response;
}
