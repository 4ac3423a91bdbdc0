import type { Manifest } from "../discovery/manifest.ts";
import { addressKey } from "../http/client_address.ts";
import { readText } from "../http/body.ts";
import type { ToolDeps } from "./deps.ts";
import { createDispatcher, type Log } from "./dispatcher.ts";
import { allowOrigin, BODY_LIMIT, checkHeaders, json, preflight, refuse } from "./http.ts";
import { RpcCode } from "./protocol.ts";
import type { RateLimiter } from "../http/rate_limit.ts";
import type { Tool } from "./tool.ts";

/** The most messages of a batch; the rate limit may allow fewer. */
const BATCH_LIMIT = 50;

export interface McpServerOptions {
  manifest: Manifest;
  tools: readonly Tool[];
  deps: ToolDeps;
  /** Whether a browser's `Origin` (a scheme, a host and a port, never `null`) may call. */
  allowedOrigins: (origin: string) => boolean;
  /** Counts messages by client address; none: no limit. */
  rateLimiter?: RateLimiter;
  /** Where a fault of ours is written; the client is told nothing of it. */
  log?: Log;
}

export interface McpServer {
  /**
   * Answers one HTTP request to `/mcp`, whatever it is. Never throws.
   *
   * @param clientAddress the client's IP address, for the rate limit
   */
  handle(request: Request, clientAddress: string): Promise<Response>;
}

/**
 * A stateless MCP server of revision 2025-03-26 over Streamable HTTP, answering JSON. No other
 * revision is ever named in an answer.
 *
 * @example
 * ```ts
 * const server = createMcpServer({ manifest, tools: mcpTools, deps, allowedOrigins: () => false });
 * Deno.serve((request, { remoteAddr }) => server.handle(request, remoteAddr.hostname));
 * ```
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { manifest, allowedOrigins, rateLimiter, log = logToConsole } = options;
  const maxBatch = Math.min(BATCH_LIMIT, rateLimiter?.limit || BATCH_LIMIT);
  const dispatch = createDispatcher({ ...options, log, maxBatch });

  async function answer(request: Request, clientAddress: string): Promise<Response> {
    if (request.method === "OPTIONS") return preflight();
    if (request.method !== "POST") {
      return refuse(405, "Method Not Allowed: this endpoint answers POST", { allow: "POST" });
    }
    const refusal = charge(clientAddress, 1) ??
      checkHeaders(request.headers, manifest.protocolVersion);
    if (refusal) return refusal;

    let body: unknown;
    try {
      const text = await readText(request, BODY_LIMIT);
      if (text === undefined) return refuse(413, "Content Too Large: at most 256 KiB");
      body = JSON.parse(text);
    } catch {
      return refuse(400, "Parse error: the body is not JSON", {}, RpcCode.parse);
    }
    if (Array.isArray(body) && body.length > 1 && body.length <= maxBatch) {
      const refusal = charge(clientAddress, body.length - 1);
      if (refusal) return refusal;
    }

    const dispatched = dispatch(body);
    const reply = dispatched instanceof Promise ? await dispatched : dispatched;
    return reply.status === 202
      ? new Response(null, { status: 202 })
      : json(reply.body, reply.status);
  }

  async function answerBrowser(request: Request, clientAddress: string, origin: string) {
    if (origin === "null" || !allowedOrigins(origin)) {
      return refuse(403, "Forbidden: this Origin may not call", { vary: "Origin" });
    }
    return allowOrigin(await answer(request, clientAddress), origin);
  }

  function charge(clientAddress: string, messages: number): Response | undefined {
    const result = rateLimiter?.take(addressKey(clientAddress), messages);
    if (!result || result.ok) return undefined;
    const seconds = String(result.retryAfterSeconds);
    return refuse(429, `Too Many Requests: try again in ${seconds} s`, { "retry-after": seconds });
  }

  return {
    handle(request, clientAddress) {
      const origin = request.headers.get("origin");
      return origin === null
        ? answer(request, clientAddress)
        : answerBrowser(request, clientAddress, origin);
    },
  };
}

function logToConsole(event: string, error: unknown) {
  const detail = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(JSON.stringify({ level: "error", event, error: detail }));
}
