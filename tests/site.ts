import { Builder } from "fresh/dev";
import { freshConfig } from "../fresh.config.ts";
import { parseConfig } from "../lib/config.ts";
import { bundleContactModule } from "../lib/contact/bundle.ts";
import { type ContactModule, contactModuleOf } from "../lib/contact/module.ts";
import type { Precompressed } from "../lib/http/precompressed.ts";
import { openKv } from "../lib/kv/mod.ts";
import { limitKv } from "../lib/kv/testing/limited_kv.ts";
import { createServices, type ServiceOverrides, type Services } from "../lib/services.ts";
import { joinStyles } from "../lib/styles.ts";
import type { SurfaceName } from "../lib/surfaces/mod.ts";
import { createApp } from "../main.ts";

/** The whole app, built in memory, for requests without a socket. */
export interface Site extends AsyncDisposable {
  services: Services;
  handler: (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;
  /** Sends a request to a path of a surface, as a client that names its host would. */
  request(surface: SurfaceName, path: string, init?: RequestInit): Promise<Response>;
}

/** What a site of a test is made of, where it is not the real thing. */
export interface SiteOverrides extends ServiceOverrides {
  /** Default: a new one in memory. The site uses it within the limits of Deno Deploy. */
  kv?: Deno.Kv;
  /** Default: none. */
  precompressed?: Precompressed;
}

/** Any 32 bytes: production requires a secret. */
const APP_SECRET = new Uint8Array(32).toBase64({ alphabet: "base64url", omitPadding: true });

/** The code is the same for every site of a process: built once, it is given to each. */
let built: Promise<(app: ReturnType<typeof createApp>) => void> | undefined;

function build() {
  const builder = new Builder(freshConfig);
  joinStyles(builder, freshConfig.root);
  return builder.build({ snapshot: "memory" });
}

/**
 * Builds the app as the build does, with a configuration and services of the test's own. A site
 * that is made inside a test must be closed there.
 *
 * @example
 * ```ts
 * await using site = await createSite({ MCP_RATE_LIMIT: "0" });
 * const response = await site.request("trust", "/terms");
 * ```
 */
export async function createSite(
  env: Record<string, string> = {},
  { kv, precompressed, ...overrides }: SiteOverrides = {},
): Promise<Site> {
  const apply = await (built ??= build());
  const services = createServices(
    parseConfig({ APP_SECRET, ...env }, overrides.table),
    limitKv(kv ?? await openKv(":memory:")),
    {
      print: () => {},
      contactModule,
      ...overrides,
    },
  );
  const app = createApp(services, precompressed);
  apply(app);
  const handler = app.handler();
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

let bundled: Promise<ContactModule> | undefined;

/** The contact module as the build makes it, once for all sites of a test file that need it. */
export function contactModule(): Promise<ContactModule> {
  return bundled ??= bundleContactModule(freshConfig.root).then((code) =>
    contactModuleOf(new TextEncoder().encode(code))
  );
}

/** Serves a handler on a free port of this machine until the test is over. */
export function serve(
  handler: (req: Request, info: Deno.ServeHandlerInfo) => Response | Promise<Response>,
  port = 0,
): { port: number; [Symbol.asyncDispose](): Promise<void> } {
  const server = Deno.serve({ port, hostname: "127.0.0.1", onListen: () => {} }, handler);
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** A port that was free a moment ago, for what must know its port before it listens. */
export function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return (listener.addr as Deno.NetAddr).port;
}

/** Sends bytes as they are and reads the answer to its end, for what `fetch` would tidy up. */
export async function sendRaw(port: number, text: string): Promise<string> {
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  await connection.write(new TextEncoder().encode(text));
  let answer = "";
  const decoder = new TextDecoder();
  for await (const chunk of connection.readable.values({ preventCancel: true })) {
    answer += decoder.decode(chunk, { stream: true });
  }
  return answer;
}
