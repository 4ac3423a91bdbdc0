/** Bearer tokens in requests (RFC 6750), and the challenges that refuse a request without a valid one. */
import { readHeader } from "./header.ts";

const SCHEME = /^Bearer(?: |$)/i;
const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/**
 * Returns the token in an `Authorization` header (RFC 6750, section 2.1). Tokens are accepted nowhere
 * else, in particular not in the URL.
 *
 * @returns `other` for another scheme, `malformed` for a header that is too long or not a token
 */
export function readBearer(
  request: { headers: Headers },
): { token: string } | { token: null; reason: "other" | "malformed" } {
  const header = readHeader(request, "authorization");
  const token = BEARER.exec(header ?? "")?.[1];
  if (token !== undefined) return { token };
  const other = header !== null && !SCHEME.test(header);
  return { token: null, reason: other ? "other" : "malformed" };
}

/** The reasons for refusing a request (RFC 6750, section 3.1). */
export type ChallengeReason = "sign_in" | "invalid_token" | "malformed" | "insufficient_scope";

const INVALID_TOKEN = "The access token is unknown, expired, revoked, or for another server.";
const MALFORMED = "Send one token as Authorization: Bearer <token>.";

interface Challenged {
  /** The URL of the metadata that it refers clients to (RFC 9728, section 5.1). */
  resourceMetadataUrl: string;
  /** The scopes to ask for. */
  scope: string;
  /** Describes a token without these scopes. */
  insufficient: string;
}

/** A refusal with the value of its `WWW-Authenticate` header. */
export interface Challenge {
  status: 400 | 401 | 403;
  challenge: string;
  /** The reason for the refusal; undefined if the request had no token. */
  message?: string;
}

/** Returns the refusal of a request at a protected resource. */
export function bearerChallenge(
  { resourceMetadataUrl, scope, insufficient }: Challenged,
  reason: ChallengeReason,
): Challenge {
  const base = `resource_metadata="${resourceMetadataUrl}", scope="${scope}"`;
  const withError = (status: Challenge["status"], error: string, message: string) => ({
    status,
    challenge: `Bearer ${base}, error="${error}", error_description="${message}"`,
    message,
  });
  switch (reason) {
    case "sign_in":
      return { status: 401, challenge: `Bearer ${base}` };
    case "invalid_token":
      return withError(401, reason, INVALID_TOKEN);
    case "malformed":
      return withError(400, "invalid_request", MALFORMED);
    case "insufficient_scope":
      return withError(403, reason, insufficient);
  }
}
