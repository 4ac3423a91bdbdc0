import type { CorsPolicy } from "../../platform/http/cors.ts";
import type { PublicOptions } from "../../platform/http/public_file.ts";
import type { Failure } from "../../base/result.ts";
import { plural } from "../../base/time.ts";

/** Returns the policy of endpoints that clients in browsers call, from any origin. */
export const programCors = (methods: readonly string[]): CorsPolicy => ({
  isAllowed: () => true,
  anyOrigin: true,
  methods,
  requestHeaders: ["accept", "authorization", "content-type", "mcp-protocol-version"],
  responseHeaders: ["WWW-Authenticate", "Retry-After"],
});

/** How metadata is served. A change of `MCP_OAUTH` takes effect when caches no longer keep it. */
export const METADATA: PublicOptions = {
  cacheControl: "public, max-age=300",
  cors: programCors(["GET", "HEAD"]),
};

/** The properties of the routes that the metadata describes. */
export const OAUTH_ROUTE = {
  audience: "programs",
  notInOpenApi: "The authorization server of agents, which its metadata describes.",
} as const;

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

/**
 * Returns the response for a failure. Only `invalid_client` is a 401, and it names the scheme that the
 * client used (RFC 6749, section 5.2).
 *
 * @param subject what there were too many of, for `rate_limited`
 */
export function oauthFailure(
  { error, message = "", retryAfterSeconds, scheme }: Failure & { scheme?: "Basic" },
  subject = "requests",
): Response {
  if (retryAfterSeconds !== undefined) {
    const wait = plural(retryAfterSeconds, "second");
    const headers = { "retry-after": String(retryAfterSeconds) };
    return oauthError(429, error, `Too many ${subject}. Try again in ${wait}.`, headers);
  }
  // RFC 7617, section 2: the scheme needs a realm.
  const headers = scheme && { "www-authenticate": `${scheme} realm="token"` };
  return oauthError(error === "invalid_client" ? 401 : 400, error, message, headers);
}
