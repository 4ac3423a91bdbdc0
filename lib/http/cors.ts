import type { EndpointHandler } from "./endpoint.ts";
import { problemOf, RequestError } from "./errors.ts";

/** The other origins that may call an endpoint, and the allowed methods. */
export interface CorsPolicy {
  /** Returns whether the value of an `Origin` header is allowed. Compare the whole value. */
  isAllowed: (origin: string) => boolean;
  methods: readonly string[];
  /** Whether responses are the same for every origin, so that they don't vary by Origin. */
  anyOrigin?: boolean;
}

/** The policy of public documents. */
export const PUBLIC: CorsPolicy = {
  isAllowed: () => true,
  methods: ["GET", "HEAD"],
  anyOrigin: true,
};

/** How long a browser may cache a preflight response, in seconds. */
const MAX_AGE = "7200";
const REQUEST_HEADERS = "content-type, idempotency-key, if-none-match";
const RESPONSE_HEADERS = "ETag, Retry-After";

/**
 * Returns the headers that allow a script of the request's origin to read the response (Fetch
 * standard, "CORS protocol"), without credentials. Other origins get only `Vary`, because responses
 * vary by Origin.
 */
export function corsHeaders(
  req: Request,
  { isAllowed, anyOrigin }: CorsPolicy,
): Record<string, string> {
  if (anyOrigin) {
    return {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": RESPONSE_HEADERS,
    };
  }
  const origin = req.headers.get("origin");
  if (origin === null || !isAllowed(origin)) return { vary: "Origin" };
  return {
    "vary": "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": RESPONSE_HEADERS,
  };
}

export function preflight(req: Request, policy: CorsPolicy): Response {
  const headers = new Headers(corsHeaders(req, policy));
  const methods = [...policy.methods, "OPTIONS"].join(", ");
  headers.set("allow", methods);
  if (headers.has("access-control-allow-origin")) {
    headers.delete("access-control-expose-headers");
    headers.set("access-control-allow-methods", methods);
    headers.set("access-control-allow-headers", policy.anyOrigin ? "*" : REQUEST_HEADERS);
    headers.set("access-control-max-age", MAX_AGE);
  }
  return new Response(null, { status: 204, headers });
}

/**
 * Adds CORS to an endpoint: responds to `OPTIONS` and adds the headers to every response and every
 * `RequestError`, so that a form on another site can read the error. Unexpected errors pass through
 * unchanged.
 *
 * @example
 * ```ts
 * export const handler = define.handlers(withCors<State>(
 *   ({ state }) => ({ isAllowed: state.services.surfaces.isOwnOrigin, methods: ["GET", "HEAD"] }),
 *   endpoint<State>({ GET: handle }),
 * ));
 * ```
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
    for (const [name, value] of Object.entries(cors)) {
      if (name === "vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    }
    return response;
  };
}

/** Adds headers to an expected error. Returns an unexpected one unchanged, so that it is logged. */
function withHeaders(error: unknown, cors: Record<string, string>): unknown {
  const { status, message, code, issues, headers } = problemOf(error);
  if (status === 500) return error;
  return new RequestError(status as 400, message, {
    code,
    issues,
    headers: { ...headers, ...cors },
  });
}
