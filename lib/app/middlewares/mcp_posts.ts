import { clientAddress } from "../../platform/http/client_address.ts";
import { problemResponse } from "../../platform/http/errors.ts";
import { loadHeaders } from "../../platform/http/header.ts";
import { hostOf } from "../../platform/http/host.ts";
import type { McpServer, Protection } from "../../features/mcp/mod.ts";
import type { Services } from "../services.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { failureOf } from "./error_responses.tsx";
import { addMinimalHeaders } from "./headers.ts";
import { relayFor } from "./relays.ts";
import { requestObserver, type RequestPlace } from "./telemetry.ts";

const PATH = "/mcp";

/** Programs may choose the port in a host, so the addresses that are remembered are limited. */
const MAX_ADDRESSES = 100;

/** The surface and server that handle requests for a host. */
interface Target {
  /** The value of the `Host` header. */
  host: string;
  surface: Surface;
  server: McpServer;
  protection: Protection | null;
  place: RequestPlace;
}

/**
 * Responds to `POST /mcp` before Fresh sees it. The middlewares would add nothing for such a request
 * except time, more than the tools take: the tools need no session, programs on other sites may call
 * them, and the responses have no headers but those of the MCP server.
 *
 * @returns a function that returns null for all other requests, and for those that are refused
 */
export function mcpPosts(
  services: Services,
): (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> | null {
  const { config, inFlight, mcp, surfaces, tokens } = services;
  const observe = requestObserver(services);
  /** By the whole URL, so that a request is recognised without parsing anything. */
  const targets = new Map<string, Target>();

  function find(req: Request): Target | null {
    const { url } = req;
    const path = url.indexOf("/", "https://".length);
    if (path === -1 || url.slice(path) !== PATH || req.method !== "POST") return null;
    const canonical = hostOf(req);
    if (canonical === null || relayFor(services, req) !== undefined) return null;
    const surface = surfaces.byHost(canonical);
    if (surface === undefined || !surface.serves(PATH)) return null;
    const target = {
      host: req.headers.get("host")!,
      surface,
      server: mcp[surface.organisation],
      protection: tokens.protectionOf(surface),
      place: { surface: surface.name, route: PATH },
    };
    if (targets.size < MAX_ADDRESSES) targets.set(url, target);
    return target;
  }

  function failed(req: Request, surface: Surface, error: unknown): Response {
    // Binding every request to its log lines would cost several percent of its time.
    const problem = services.requestScope.run(
      req,
      () => failureOf(error, { req, services, surface, route: PATH }),
    );
    const response = problemResponse(problem);
    addMinimalHeaders(response, config);
    response.headers.delete("cache-control"); // responses to POST are not cached anyway
    return response;
  }

  return (req, info) => {
    let target = targets.get(req.url) ?? null;
    if (target !== null) loadHeaders(req);
    if (target === null || req.method !== "POST" || req.headers.get("host") !== target.host) {
      target = find(req);
      if (target === null) return null;
    }
    const start = performance.now();
    if (info !== undefined) inFlight.count(info.completed);
    const { server, surface, protection, place } = target;
    // Reading the address takes time, and only the limit needs it.
    const address = info !== undefined && config.mcp.rateLimit > 0
      ? clientAddress(req, info, config.trustProxy)
      : "";
    const finish = (response: Response) => {
      observe(req, start, place, response.status);
      return response;
    };
    return server.handle(req, address, protection)
      .then(finish, (error) => finish(failed(req, surface, error)));
  };
}
