import type { CorsPolicy } from "../http/cors.ts";

/** Returns the policy of endpoints that clients in browsers call, from any origin. */
export const programCors = (methods: readonly string[]): CorsPolicy => ({
  isAllowed: () => true,
  anyOrigin: true,
  methods,
  requestHeaders: ["accept", "authorization", "content-type", "mcp-protocol-version"],
  responseHeaders: ["WWW-Authenticate", "Retry-After"],
});

const UNCACHED = { "cache-control": "no-store", "pragma": "no-cache" };

/** Returns a response of an OAuth endpoint, which no cache may keep (RFC 6749, section 5.1). */
export const oauthJson = (
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response => Response.json(body, { status, headers: { ...UNCACHED, ...headers } });

/** Returns an error of an OAuth endpoint (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export const oauthError = (
  status: number,
  error: string,
  description: string,
  headers?: Record<string, string>,
): Response => oauthJson({ error, error_description: description }, status, headers);
