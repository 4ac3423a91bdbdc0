/** Serves a relay on the loopback address for tests, with fixed slugs and a service token. */
import type { RelaySettings } from "../config.ts";
import { serve } from "../../../platform/http/serve.ts";
import { HANG_MS } from "../../../testing/times.ts";
import { createRelay, type RelayDeps } from "../relay.ts";

export const SLUG = "docs-0123456789abcdef01234567";
export const PREVIOUS_SLUG = "docs-fedcba9876543210fedcba98";
export const CLIENT_ID = "client-4711.access";
export const CLIENT_SECRET = "client_secret_0815";

interface ServedRelay extends AsyncDisposable {
  port: number;
  logged: Record<string, unknown>[];
  /** Requests a path below the slug, without following redirects. */
  get(path: string, init?: RequestInit & { slug?: string }): Promise<Response>;
}

export function serveRelay(
  settings: Partial<RelaySettings> & { origin: string },
  { timeoutMs = HANG_MS, schedule }: Partial<Pick<RelayDeps, "timeoutMs" | "schedule">> = {},
): ServedRelay {
  const logged: Record<string, unknown>[] = [];
  const log = (entry: Record<string, unknown>) => logged.push(entry);
  const relay = createRelay({
    name: "docs",
    slug: SLUG,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    rewriteLinks: false,
    ...settings,
  }, { fetch, timeoutMs, schedule, log });
  const server = serve({ hostname: "127.0.0.1", port: 0, log }, relay);
  const { port } = server.addr;
  return {
    port,
    logged,
    get: (path, { slug = SLUG, ...init } = {}) =>
      fetch(`http://127.0.0.1:${port}/${slug}${path}`, { redirect: "manual", ...init }),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
