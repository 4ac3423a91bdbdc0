import type { EndpointHandler } from "./endpoint.ts";
import { problemOf, RequestError } from "./errors.ts";

/** Whose scripts may call an endpoint from another origin, and how. */
export interface CorsPolicy {
  /** Whether an `Origin` header's value is one of those; compared as a whole, never in part. */
  isAllowed: (origin: string) => boolean;
  /** What the endpoint answers, besides `OPTIONS`. */
  methods: readonly string[];
}

/** Seconds for which a browser need not ask again. */
const MAX_AGE = "7200";
const REQUEST_HEADERS = "content-type, idempotency-key, if-none-match";
const RESPONSE_HEADERS = "ETag, Retry-After";

/**
 * The headers that let a script of the request's origin read an answer (Fetch standard, "CORS
 * protocol"): for that one origin, without credentials. Others get none of them, and their browser
 * keeps the answer from them. `Vary` is there either way, for an answer to one origin is none to
 * another.
 */
export function corsHeaders(req: Request, { isAllowed }: CorsPolicy): Record<string, string> {
  const origin = req.headers.get("origin");
  if (origin === null || !isAllowed(origin)) return { vary: "Origin" };
  return {
    "vary": "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": RESPONSE_HEADERS,
  };
}

/** The answer to `OPTIONS`, which a browser sends before a request that is not a simple one. */
export function preflight(req: Request, policy: CorsPolicy): Response {
  const headers = new Headers(corsHeaders(req, policy));
  const methods = [...policy.methods, "OPTIONS"].join(", ");
  headers.set("allow", methods);
  if (headers.has("access-control-allow-origin")) {
    headers.delete("access-control-expose-headers");
    headers.set("access-control-allow-methods", methods);
    headers.set("access-control-allow-headers", REQUEST_HEADERS);
    headers.set("access-control-max-age", MAX_AGE);
  }
  return new Response(null, { status: 204, headers });
}

/**
 * Lets an endpoint be called from other origins: `OPTIONS` is answered here, and whatever else the
 * handler answers or refuses carries the headers, so that a form on another site can read what was
 * wrong. Only our own faults go without.
 *
 * @example
 * ```ts
 * export const handler = define.handlers(withCors<State>(
 *   ({ state }) => ({ isAllowed: state.services.surfaces.isOwnOrigin, methods: ["GET", "HEAD"] }),
 *   endpoint<State>({ GET: answer }),
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
      throw readable(error, cors);
    }
    for (const [name, value] of Object.entries(cors)) {
      if (name === "vary") response.headers.append(name, value);
      else response.headers.set(name, value);
    }
    return response;
  };
}

/** A refusal with the headers; a fault of ours stays as it is, to be logged. */
function readable(error: unknown, cors: Record<string, string>): unknown {
  const { status, message, code, issues, headers } = problemOf(error);
  if (status === 500) return error;
  return new RequestError(status as 400, message, {
    code,
    issues,
    headers: { ...headers, ...cors },
  });
}
