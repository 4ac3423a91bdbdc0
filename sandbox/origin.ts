/** The stand-in for a protected site that a relay makes available. */
import { sleep } from "../lib/base/sleep.ts";
import { timingSafeEqual } from "node:crypto";
import { SANDBOX_RELAY } from "../lib/features/relay/variables.ts";
import type { RelayConfig } from "../lib/features/relay/mod.ts";
import { bytes, drip, file, interrupted, Interruption } from "./origin_bodies.ts";
import { handbook, MARK, refusal, STYLES } from "./origin_pages.ts";

interface OriginRequest {
  /** Path and query. */
  path: string;
}

/** A running stand-in for a protected site. */
interface OriginSandbox extends AsyncDisposable {
  origin: string;
  /** The service token that it requires. */
  clientId: string;
  clientSecret: string;
  /** The latest requests with the correct token, at most 1,000. */
  requests: OriginRequest[];
  stop(): Promise<void>;
}

type Handler = (url: URL, request: Request, stopping: AbortSignal) => Response | Promise<Response>;

const CLIENT_ID = "sandbox-5f1c7ad2.access";
const CLIENT_SECRET = "sandbox_b6f3d80e9a4c4f1e8d27c5a1907e3b64";
const LOGIN = "https://login.access.example/";
const MAX_REQUESTS = 1_000;

const HANDLERS: Record<string, Handler> = {
  "/handbook.css": () => typed("text/css", STYLES),
  "/mark.svg": () => typed("image/svg+xml", MARK),
  "/records.json": () =>
    Response.json({ records: 1_284, offices: ["north", "harbour"], updated: "2026-01-12" }),
  /** Returns the request's headers. The response's headers repeat the token, as a careless origin might. */
  "/echo": (_, request) =>
    Response.json(
      Object.fromEntries(
        [...request.headers].map((
          [name, value],
        ) => [name, name.startsWith("edge-access-") ? "(present)" : value]),
      ),
      {
        headers: {
          "edge-access-client-id": CLIENT_ID,
          "edge-access-client-secret": CLIENT_SECRET,
          "x-debug": `requested with ${CLIENT_SECRET}`,
        },
      },
    ),
  "/register.txt": (_, request) => file(request),
  "/large": ({ searchParams }) => bytes(amount(searchParams, "bytes", 64 << 20)),
  "/moved": () => Response.redirect(LOGIN, 302),
  "/cookies": () => {
    const headers = new Headers({ "content-type": "text/plain; charset=utf-8" });
    headers.append("set-cookie", "seen=1; Path=/; HttpOnly");
    headers.append("set-cookie", "theme=dark; Path=/");
    return new Response("Two cookies were set.\n", { headers });
  },
  "/compressed": async () => {
    const page = new Blob([handbook("/", "")!]).stream();
    const body = page.pipeThrough(new CompressionStream("gzip"));
    const headers = { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip" };
    return new Response(await new Response(body).arrayBuffer(), { headers });
  },
  "/slow-headers": async ({ searchParams }, _, stopping) => {
    await sleep(amount(searchParams, "ms", 20_000), stopping);
    return typed("text/plain", "At last.\n");
  },
  "/slow-body": ({ searchParams }, _, stopping) => drip(amount(searchParams, "ms", 500), stopping),
  "/broken": () => interrupted(),
};

/**
 * Starts the stand-in for a site behind an access-control layer: an HTTP server on the loopback
 * address, for development and tests only. Without the service token every path returns 403. With the
 * token it serves the linked pages of a small handbook, and one path for each kind of response.
 */
export function startOriginSandbox(): OriginSandbox {
  const requests: OriginRequest[] = [];
  const stopping = new AbortController();

  async function handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (!isAuthorised(request.headers)) return html(refusal(), 403);
    requests.push({ path: url.pathname + url.search });
    if (requests.length > MAX_REQUESTS) requests.shift();
    if (request.method !== "GET") return new Response(null, { status: 405 });
    if (url.pathname === "/redirect") return redirect(url);
    if (Object.hasOwn(HANDLERS, url.pathname)) {
      return await HANDLERS[url.pathname](url, request, stopping.signal);
    }
    const page = handbook(url.pathname, origin);
    return page === null ? html(handbook("/missing", origin)!, 404) : html(page);
  }

  const server = Deno.serve(
    {
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      onError(error) {
        if (!(error instanceof Interruption)) console.error(error);
        return new Response(null, { status: 500 });
      },
    },
    handle,
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const stop = async () => {
    stopping.abort();
    await server.shutdown();
  };
  return {
    origin,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    requests,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Returns the `RELAYS` entry of the relay that `deno task start` serves. */
export function sandboxRelay(
  { origin, clientId, clientSecret }: Pick<OriginSandbox, "origin" | "clientId" | "clientSecret">,
): RelayConfig {
  return {
    ...SANDBOX_RELAY,
    slug: "docs-5a7d0b0c0f11a5ed2b1c9e44",
    clientId,
    clientSecret,
    origin,
    rewriteLinks: true,
  };
}

function isAuthorised(headers: Headers): boolean {
  const is = (name: string, expected: string) => {
    const given = new TextEncoder().encode(headers.get(name) ?? "");
    const wanted = new TextEncoder().encode(expected);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  };
  return is("edge-access-client-id", CLIENT_ID) && is("edge-access-client-secret", CLIENT_SECRET);
}

function redirect(url: URL): Response {
  const to = url.searchParams.get("to") ?? "/handbook/keeping";
  return new Response(null, { status: 302, headers: { location: to } });
}

/** Returns a number of up to ten digits from the query, or the default. */
function amount(query: URLSearchParams, name: string, defaultValue: number): number {
  const value = query.get(name) ?? "";
  return /^\d{1,10}$/.test(value) ? Number(value) : defaultValue;
}

const html = (page: string, status = 200) =>
  new Response(page, { status, headers: { "content-type": "text/html; charset=utf-8" } });
const typed = (type: string, body: string) =>
  new Response(body, { headers: { "content-type": `${type}; charset=utf-8` } });
