import { eTag, isNotModified } from "../http/etag.ts";

const ALLOWED = "GET, HEAD, OPTIONS";

/**
 * A handler that serves one discovery document to everybody, other origins' scripts included.
 * The body and its `ETag` are made once. Answers 200, 204 (preflight), 304 or 405, never an error.
 *
 * @param document what is served, as JSON
 *
 * @example
 * ```ts
 * const card = discoveryResponder(serverCard(manifest));
 * app.get("/.well-known/mcp/server-card.json", (ctx) => card(ctx.req));
 * ```
 */
export function discoveryResponder(
  document: unknown,
): (request: Request) => Promise<Response> {
  const body = JSON.stringify(document, null, 2);
  const tag = eTag(body);
  return async (request) => {
    if (request.method === "OPTIONS") return preflight();
    if (request.method !== "GET" && request.method !== "HEAD") {
      return methodNotAllowed();
    }
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag",
      "cache-control": "public, max-age=3600",
      etag: await tag,
    };
    if (isNotModified(request, headers.etag)) {
      return new Response(null, { status: 304, headers });
    }
    return new Response(request.method === "HEAD" ? null : body, {
      headers: { ...headers, "content-type": "application/json" },
    });
  };
}

function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": ALLOWED,
      "access-control-allow-headers": "*",
      "access-control-max-age": "86400",
      allow: ALLOWED,
    },
  });
}

function methodNotAllowed(): Response {
  const body = {
    error: "method_not_allowed",
    message: `This document answers ${ALLOWED}.`,
  };
  return Response.json(body, {
    status: 405,
    headers: { allow: ALLOWED, "access-control-allow-origin": "*" },
  });
}
