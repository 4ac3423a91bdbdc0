/** CORS: which other origins may call an endpoint, its preflight responses, and its headers. */
import type { EndpointHandler } from "./endpoint.ts";
import { problemOf, RequestError } from "./errors.ts";

/** The other origins that may call an endpoint, and the allowed methods. */
export interface CorsPolicy {
  /** Returns whether the value of an `Origin` header is allowed. Compare the whole value. */
  isAllowed: (origin: string) => boolean;
  methods: readonly string[];
  /** True if responses are the same for every origin, so that they don't vary by Origin. */
  anyOrigin?: boolean;
  /** The request headers that scripts may send. Default: those of the site's JSON endpoints. */
  requestHeaders?: readonly string[];
  /** The response headers that scripts may read. Default: those of the site's JSON endpoints. */
  responseHeaders?: readonly string[];
  /** True if the methods of a preflight response leave out `OPTIONS` itself. Default: false. */
  omitOptions?: boolean;
}

/** The policy of public documents. */
export const PUBLIC: CorsPolicy = {
  isAllowed: () => true,
  methods: ["GET", "HEAD"],
  anyOrigin: true,
};

/** How long a browser may cache a preflight response, in seconds. */
const MAX_AGE = "7200";
const REQUEST_HEADERS = ["content-type", "idempotency-key", "if-none-match"];
const RESPONSE_HEADERS = ["ETag", "Request-Id", "Retry-After"];

/**
 * Returns the headers that allow scripts of an origin, or of any (`*`), to read a response. Check
 * the origin first, and add `Vary`, or use `corsHeaders`, which does both.
 */
export function allowOrigin(
  origin: string,
  { responseHeaders = RESPONSE_HEADERS }: { responseHeaders?: readonly string[] } = {},
): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    ...responseHeaders.length > 0 &&
      { "access-control-expose-headers": responseHeaders.join(", ") },
  };
}

/**
 * Returns the headers that allow a script of the request's origin to read the response (Fetch
 * standard, "CORS protocol"), without credentials. Other origins get only `Vary`, because responses
 * vary by Origin.
 */
export function corsHeaders(req: Request, policy: CorsPolicy): Record<string, string> {
  if (policy.anyOrigin) return allowOrigin("*", policy);
  const origin = req.headers.get("origin");
  if (origin === null || !policy.isAllowed(origin)) return { vary: "Origin" };
  return { vary: "Origin", ...allowOrigin(origin, policy) };
}

/** Returns the headers of a preflight response that do not depend on the allowed origin. */
export function preflightHeaders(policy: CorsPolicy): Record<string, string> {
  const { requestHeaders = policy.anyOrigin ? ["*"] : REQUEST_HEADERS } = policy;
  const methods = allowedMethods(policy);
  return {
    "allow": methods,
    "access-control-allow-methods": methods,
    "access-control-allow-headers": requestHeaders.join(", "),
    "access-control-max-age": MAX_AGE,
  };
}

export function preflight(req: Request, policy: CorsPolicy): Response {
  const { "access-control-expose-headers": _, ...cors } = corsHeaders(req, policy);
  const headers = "access-control-allow-origin" in cors
    ? { ...cors, ...preflightHeaders(policy) }
    : { ...cors, allow: allowedMethods(policy) };
  return new Response(null, { status: 204, headers });
}

function allowedMethods({ methods, omitOptions }: CorsPolicy): string {
  return (omitOptions ? methods : [...methods, "OPTIONS"]).join(", ");
}

/** Adds CORS headers to a response, which keeps its own `Vary`. */
export function addCors(response: Response, cors: Record<string, string>): Response {
  for (const [name, value] of Object.entries(cors)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
}

/**
 * Adds CORS to an endpoint: responds to `OPTIONS` and adds the headers to every response and every
 * `RequestError`, so that a form on another site can read the error. Unexpected errors pass through
 * unchanged.
 */
export function withCors<State>(
  policyOf: (ctx: Parameters<EndpointHandler<State>>[0]) => CorsPolicy,
  handler: EndpointHandler<State>,
): EndpointHandler<State> {
  return async (ctx) => {
    const policy = policyOf(ctx);
    if (ctx.req.method === "OPTIONS") return preflight(ctx.req, policy);
    const cors = corsHeaders(ctx.req, policy);
    let response: Response;
    try {
      response = await handler(ctx);
    } catch (error) {
      throw withHeaders(error, cors);
    }
    return addCors(response, cors);
  };
}

/** Adds headers to an expected error. Returns an unexpected one unchanged, so that it is logged. */
function withHeaders(error: unknown, cors: Record<string, string>): unknown {
  const { status, message, code, issues, headers, details } = problemOf(error);
  if (status === 500) return error;
  return new RequestError(status as 400, message, {
    code,
    issues,
    details,
    headers: { ...headers, ...cors },
  });
}
