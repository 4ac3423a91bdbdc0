/** The HTTP endpoint `/mcp`: headers, tokens, rate limits and CORS around the JSON-RPC dispatcher. */
import { type ChallengeReason, readBearer } from "../../platform/http/bearer.ts";
import { readJson } from "../../platform/http/body.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import {
  addCors,
  allowOrigin,
  type CorsPolicy,
  preflightHeaders,
} from "../../platform/http/cors.ts";
import { RequestError } from "../../platform/http/errors.ts";
import { readHeader } from "../../platform/http/header.ts";
import type { RateLimiter } from "../../platform/http/rate_limit.ts";
import { type Caller, challengeOf, expectsChallengeInResult, type Protection } from "./caller.ts";
import { createDispatcher, type DispatcherOptions, type Log, type Reply } from "./dispatcher.ts";
import { failure, RpcCode, type RpcId, success, toJson } from "./protocol.ts";
import { type Listing, signInResult } from "./tool.ts";

/** The maximum size of a request body, in bytes. */
const BODY_LIMIT = 256 * 1024;

/** The maximum number of messages in a batch. The rate limit may allow fewer. */
const BATCH_LIMIT = 50;

const JSON_TYPE = "application/json";
const EVENTS_TYPE = "text/event-stream";
/** The `Accept` header that clients must send by the rules of the transport. */
const USUAL_ACCEPT = "application/json, text/event-stream";
const JSON_HEADERS = { "content-type": JSON_TYPE };
const OK = { headers: JSON_HEADERS };

/** The headers that scripts may send. Clients that try a later revision first send the last two headers. */
const REQUEST_HEADERS = [
  "content-type",
  "accept",
  "authorization",
  "mcp-protocol-version",
  "mcp-session-id",
  "mcp-method",
  "mcp-name",
];

interface McpServerOptions extends Omit<DispatcherOptions, "log" | "maxBatch"> {
  /** Returns whether scripts from an origin (never `null`) may call the server. */
  allowedOrigins: (origin: string) => boolean;
  /** Limits messages by client address. Default: no limit. */
  rateLimiter?: RateLimiter;
  /** Limits the messages of all tokens of a record, from any address. Default: no limit. */
  recordLimiter?: RateLimiter;
  /** Logs internal errors, whose details the client does not see. */
  log?: Log;
}

export interface McpServer {
  /** The tools as `tools/list` describes them. */
  readonly tools: readonly Listing[];
  /**
   * Responds to any HTTP request to `/mcp`. Never throws.
   *
   * @param clientAddress the client's IP address, for the rate limit
   * @param protection checks the tokens of requests; null if nobody can sign in here, so that tokens
   * are ignored
   */
  handle(
    request: Request,
    clientAddress: string,
    protection?: Protection | null,
  ): Promise<Response>;
}

/**
 * Creates a stateless MCP server of revision 2025-03-26 over Streamable HTTP. It responds with JSON
 * and always with this revision.
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { rateLimiter, log = logToConsole } = options;
  const maxBatch = Math.min(BATCH_LIMIT, rateLimiter?.limit || BATCH_LIMIT);
  const dispatcher = createDispatcher({ ...options, log, maxBatch });
  const { rejection, lackedScope, dispatch } = dispatcher;
  const cors = corsPolicyOf(options);

  function respond(
    request: Request,
    clientAddress: string,
    protection: Protection | null,
  ): Response | Promise<Response> {
    if (request.method !== "POST") {
      return request.method === "OPTIONS"
        ? new Response(null, { status: 204, headers: preflightHeaders(cors) })
        : refuse(405, "Method Not Allowed: use POST", { allow: "POST" });
    }
    return protection === null || request.headers.get("authorization") === null
      ? respondTo(null, request, clientAddress, protection)
      : respondToToken(request, clientAddress, protection);
  }

  async function respondToToken(
    request: Request,
    clientAddress: string,
    protection: Protection,
  ): Promise<Response> {
    const bearer = readBearer(request);
    const caller = bearer.token === null ? null : await protection.callerOf(bearer.token);
    return caller === null
      ? refuseBearer(options, bearer, clientAddress, protection)
      : await respondTo(caller, request, clientAddress, protection);
  }

  /** Responds to a POST of a caller. It awaits as little as possible, because each await takes time. */
  function respondTo(
    caller: Caller | null,
    request: Request,
    clientAddress: string,
    protection: Protection | null,
  ): Response | Promise<Response> {
    const refusal = charge(options, clientAddress, caller, 1) ?? checkHeaders(request.headers);
    return refusal ??
      readJson(request, BODY_LIMIT).then(
        (body) =>
          body === undefined
            ? refuse(413, "Content Too Large: at most 256 KiB")
            : respondToBody(body, caller, request, clientAddress, protection),
        (error) =>
          // The token ended while the body arrived.
          isUnauthenticated(error)
            ? refuseBearer(options, readBearer(request), clientAddress, protection!)
            : error instanceof RequestError && error.status !== 400
            ? refuse(error.status, error.message, error.headers)
            : refuse(400, "Parse error: the body is not JSON", {}, RpcCode.parse),
      );
  }

  function respondToBody(
    body: unknown,
    caller: Caller | null,
    request: Request,
    clientAddress: string,
    protection: Protection | null,
  ): Response | Promise<Response> {
    const rejected = rejection(body, request.headers.get("mcp-protocol-version"));
    if (rejected === undefined && Array.isArray(body) && body.length > 1) {
      const refusal = charge(options, clientAddress, caller, body.length - 1);
      if (refusal) return refusal;
    }
    const scope = rejected === undefined && protection !== null ? lackedScope(body, caller) : null;
    if (scope !== null) return askForScope(request, body, caller, protection!, scope);

    const reply = rejected ?? dispatch(body, caller);
    const sendReply = formatOf(request.headers) === "events" ? sendEvent : send;
    return reply instanceof Promise ? reply.then(sendReply) : sendReply(reply);
  }

  async function respondToBrowser(
    request: Request,
    clientAddress: string,
    protection: Protection | null,
    origin: string,
  ) {
    if (!cors.isAllowed(origin)) {
      return refuse(403, "Forbidden: this Origin is not allowed", { vary: "Origin" });
    }
    const response = await respond(request, clientAddress, protection);
    return addCors(response, { ...allowOrigin(origin, cors), vary: "Origin" });
  }

  return {
    tools: dispatcher.tools,
    handle(request, clientAddress, protection = null) {
      const origin = request.headers.get("origin");
      const response = origin === null
        ? respond(request, clientAddress, protection)
        : respondToBrowser(request, clientAddress, protection, origin);
      return response instanceof Promise ? response : Promise.resolve(response);
    },
  };
}

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof RequestError && error.status === 401;

const corsPolicyOf = ({ allowedOrigins }: McpServerOptions): CorsPolicy => ({
  isAllowed: (origin) => origin !== "null" && allowedOrigins(origin),
  methods: ["POST"],
  omitOptions: true,
  requestHeaders: REQUEST_HEADERS,
  responseHeaders: ["retry-after", "www-authenticate"],
});

/** Counts messages of a record, or of a client address if the caller has none. */
function charge(
  { rateLimiter, recordLimiter }: McpServerOptions,
  clientAddress: string,
  caller: Caller | null,
  messages: number,
): Response | undefined {
  const result = caller === null || caller.record === null
    ? rateLimiter?.take(addressKey(clientAddress), messages)
    : recordLimiter?.take(caller.record, messages);
  if (!result || result.ok) return undefined;
  const seconds = String(result.retryAfterSeconds);
  return refuse(429, `Too Many Requests: try again in ${seconds} s`, { "retry-after": seconds });
}

/** Refuses a request whose `Authorization` header has no valid token. */
function refuseBearer(
  options: McpServerOptions,
  bearer: ReturnType<typeof readBearer>,
  clientAddress: string,
  protection: Protection,
): Response {
  const reason = bearer.token !== null
    ? "invalid_token"
    : bearer.reason === "other"
    ? "sign_in"
    : "malformed";
  return charge(options, clientAddress, null, 1) ?? refuseToken(protection, reason);
}

function send(reply: Reply): Response {
  if (reply.status === 202) return new Response(null, { status: 202 });
  const { status, body } = reply;
  return new Response(toJson(body), status === 200 ? OK : { status, headers: JSON_HEADERS });
}

/** Sends a reply as a stream of one event, for clients that accept nothing else. */
function sendEvent(reply: Reply): Response {
  if (reply.status !== 200) return send(reply);
  const headers = { "content-type": EVENTS_TYPE, "cache-control": "no-cache" };
  return new Response(`event: message\ndata: ${toJson(reply.body)}\n\n`, { headers });
}

/** Asks the client for a token with a scope, or a token with one more scope. */
function askForScope(
  request: Request,
  body: unknown,
  caller: Caller | null,
  protection: Protection,
  scope: string,
): Response {
  const reason = caller === null ? "sign_in" : "insufficient_scope";
  if (Array.isArray(body) || !expectsChallengeInResult(request)) {
    return refuseToken(protection, reason, scope);
  }
  const { id } = body as { id: RpcId };
  const result = signInResult(challengeOf(protection, reason, scope).challenge);
  return new Response(JSON.stringify(success(id, result)), OK);
}

function refuseToken(
  protection: Protection,
  reason: ChallengeReason,
  scope?: string,
): Response {
  const { status, challenge, message } = challengeOf(protection, reason, scope);
  return refuse(status, `${STATUS_TEXTS[status]}: ${message}`, { "www-authenticate": challenge });
}

/** Returns an HTTP error with a JSON-RPC error as its body. */
function refuse(
  status: number,
  message: string,
  more: Record<string, string> = {},
  code: number = RpcCode.refused,
): Response {
  return new Response(JSON.stringify(failure(null, code, message)), {
    status,
    headers: { ...JSON_HEADERS, ...more },
  });
}

/** Checks the headers of a POST in the order of the transport's rules; returns 406 or 415. */
function checkHeaders(received: Headers): Response | undefined {
  if (formatOf(received) === null) {
    return refuse(406, `Not Acceptable: Accept must include ${JSON_TYPE} or ${EVENTS_TYPE}`);
  }
  const type = readHeader({ headers: received }, "content-type");
  if (type !== JSON_TYPE && mediaType(type ?? "") !== JSON_TYPE) {
    return refuse(415, `Unsupported Media Type: Content-Type must be ${JSON_TYPE}`);
  }
  const encoding = received.get("content-encoding");
  if (encoding !== null && encoding !== "identity") {
    return refuse(415, "Unsupported Media Type: the body must not be encoded");
  }
}

const STATUS_TEXTS = { 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden" } as const;

/**
 * Returns how a client wants its response: as JSON if possible, although the transport's rules ask it to accept
 * both; null if it accepts neither. Without the header, it accepts everything (RFC 9110, section 12.5.1).
 */
function formatOf(received: Headers): "json" | "events" | null {
  if (!received.has("accept")) return "json";
  const accept = readHeader({ headers: received }, "accept") ?? "";
  if (accept === USUAL_ACCEPT) return "json";
  const ranges = accept.split(",").filter((range) => !/;\s*q=0(\.0*)?\s*$/i.test(range))
    .map(mediaType);
  const accepts = (type: string) =>
    ranges.some((range) => [type, type.replace(/\/.*/, "/*"), "*/*"].includes(range));
  return accepts(JSON_TYPE) ? "json" : accepts(EVENTS_TYPE) ? "events" : null;
}

const mediaType = (header: string): string => header.split(";", 1)[0].trim().toLowerCase();

function logToConsole(event: string, error: unknown) {
  const detail = error instanceof Error ? error.stack ?? error.message : String(error);
  console.error(JSON.stringify({ level: "error", event, error: detail }));
}
