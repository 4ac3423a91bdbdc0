import { readText } from "../http/body.ts";
import { addressKey } from "../http/client_address.ts";
import { addCors, allowOrigin, type CorsPolicy, preflightHeaders } from "../http/cors.ts";
import { readHeader } from "../http/header.ts";
import type { RateLimiter } from "../http/rate_limit.ts";
import { createDispatcher, type Log } from "./dispatcher.ts";
import type { Manifest } from "./manifest.ts";
import { failure, RpcCode } from "./protocol.ts";
import type { Tool, ToolDeps } from "./tool.ts";

/** The maximum size of a request body, in bytes. */
const BODY_LIMIT = 256 * 1024;

/** The maximum number of messages in a batch. The rate limit may allow fewer. */
const BATCH_LIMIT = 50;

const ACCEPT = "application/json, text/event-stream";
const JSON_TYPE = "application/json";
const JSON_HEADERS = { "content-type": JSON_TYPE };

/** What scripts may send. Clients that try a later revision first send the last two headers. */
const REQUEST_HEADERS = [
  "content-type",
  "accept",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
];

export interface McpServerOptions {
  manifest: Manifest;
  tools: readonly Tool[];
  deps: ToolDeps;
  /** Returns whether scripts from an origin (never `null`) may call the server. */
  allowedOrigins: (origin: string) => boolean;
  /** Limits messages by client address. Default: no limit. */
  rateLimiter?: RateLimiter;
  /** Logs internal errors, whose details the client does not see. */
  log?: Log;
}

export interface McpServer {
  /**
   * Responds to any HTTP request to `/mcp`. Never throws.
   *
   * @param clientAddress the client's IP address, for the rate limit
   */
  handle(request: Request, clientAddress: string): Promise<Response>;
}

/**
 * Creates a stateless MCP server of revision 2025-03-26 over Streamable HTTP. It responds with JSON
 * and always with this revision.
 *
 * @example
 * ```ts
 * const server = createMcpServer({ manifest, tools: mcpTools, deps, allowedOrigins: () => false });
 * Deno.serve((request, { remoteAddr }) => server.handle(request, remoteAddr.hostname));
 * ```
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { allowedOrigins, rateLimiter, log = logToConsole } = options;
  const maxBatch = Math.min(BATCH_LIMIT, rateLimiter?.limit || BATCH_LIMIT);
  const { rejection, dispatch } = createDispatcher({ ...options, log, maxBatch });
  const cors: CorsPolicy = {
    isAllowed: (origin) => origin !== "null" && allowedOrigins(origin),
    methods: ["POST"],
    omitOptions: true,
    requestHeaders: REQUEST_HEADERS,
    responseHeaders: ["retry-after"],
  };

  async function respond(request: Request, clientAddress: string): Promise<Response> {
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: preflightHeaders(cors) });
    }
    if (request.method !== "POST") {
      return refuse(405, "Method Not Allowed: use POST", { allow: "POST" });
    }
    const refusal = charge(clientAddress, 1) ?? checkHeaders(request.headers);
    if (refusal) return refusal;

    let body: unknown;
    try {
      const text = await readText(request, BODY_LIMIT);
      if (text === undefined) return refuse(413, "Content Too Large: at most 256 KiB");
      body = JSON.parse(text);
    } catch {
      return refuse(400, "Parse error: the body is not JSON", {}, RpcCode.parse);
    }
    const rejected = rejection(body, request.headers.get("mcp-protocol-version"));
    if (rejected === undefined && Array.isArray(body) && body.length > 1) {
      const refusal = charge(clientAddress, body.length - 1);
      if (refusal) return refusal;
    }

    const dispatched = rejected ?? dispatch(body);
    const reply = dispatched instanceof Promise ? await dispatched : dispatched;
    if (reply.status === 202) return new Response(null, { status: 202 });
    return new Response(JSON.stringify(reply.body), {
      status: reply.status,
      headers: JSON_HEADERS,
    });
  }

  async function respondToBrowser(request: Request, clientAddress: string, origin: string) {
    if (!cors.isAllowed(origin)) {
      return refuse(403, "Forbidden: this Origin is not allowed", { vary: "Origin" });
    }
    const response = await respond(request, clientAddress);
    return addCors(response, { ...allowOrigin(origin, cors), vary: "Origin" });
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
        ? respond(request, clientAddress)
        : respondToBrowser(request, clientAddress, origin);
    },
  };
}

/** Returns an HTTP error with a JSON-RPC error as its body. */
function refuse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code: number = RpcCode.refused,
): Response {
  return new Response(JSON.stringify(failure(null, code, message)), {
    status,
    headers: { ...JSON_HEADERS, ...headers },
  });
}

/** Checks the headers of a POST in the order of the transport's rules; returns 406 or 415. */
function checkHeaders(headers: Headers): Response | undefined {
  const accept = readHeader({ headers }, "accept");
  if (accept !== ACCEPT && !acceptsBoth(accept ?? "")) {
    return refuse(406, `Not Acceptable: Accept must list ${ACCEPT}`);
  }
  const type = readHeader({ headers }, "content-type");
  if (type !== JSON_TYPE && mediaType(type ?? "") !== JSON_TYPE) {
    return refuse(415, `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`);
  }
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    return refuse(415, "Unsupported Media Type: the body must not be encoded");
  }
}

function acceptsBoth(accept: string): boolean {
  const ranges = accept.split(",").filter((range) => !/;\s*q=0(\.0*)?\s*$/i.test(range))
    .map(mediaType);
  const accepts = (...wanted: string[]) => wanted.some((range) => ranges.includes(range));
  return accepts("application/json", "application/*", "*/*") &&
    accepts("text/event-stream", "text/*", "*/*");
}

const mediaType = (header: string): string => header.split(";", 1)[0].trim().toLowerCase();

function logToConsole(event: string, error: unknown) {
  const detail = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(JSON.stringify({ level: "error", event, error: detail }));
}
