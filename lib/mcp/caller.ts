import { readHeader } from "../http/header.ts";

/** The caller of a valid token, with the rights that it gives. */
export interface Caller {
  /** The hash of the holder's record; null for a token without a record, with anonymous rights. */
  record: string | null;
  scopes: readonly string[];
}

/** The authorization server that protects an endpoint. */
export interface Protection {
  /** Where challenges send clients (RFC 9728, section 5.1). */
  resourceMetadataUrl: string;
  /** Returns the caller of a token; null unless it is valid for this endpoint now. */
  callerOf(token: string): Caller | null | Promise<Caller | null>;
}

/** The scope of the endpoint itself, which every token has. */
const BASE_SCOPE = "mcp";

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

const DESCRIPTIONS = {
  invalid_token: "The access token is unknown, expired, revoked, or for another server.",
  invalid_request: "Send one token as Authorization: Bearer <token>.",
  insufficient_scope: "The access token does not give access to a record.",
};

/** Returns the status and the `WWW-Authenticate` value of a refusal. */
export function challengeOf(
  { resourceMetadataUrl }: Protection,
  reason: ChallengeReason,
  scope: string = BASE_SCOPE,
): { status: 400 | 401 | 403; challenge: string; message: string } {
  const scopes = scope === BASE_SCOPE ? scope : `${BASE_SCOPE} ${scope}`;
  const base = `resource_metadata="${resourceMetadataUrl}", scope="${scopes}"`;
  const withError = (error: keyof typeof DESCRIPTIONS) =>
    `Bearer ${base}, error="${error}", error_description="${DESCRIPTIONS[error]}"`;
  switch (reason) {
    case "sign_in":
      return { status: 401, challenge: `Bearer ${base}`, message: "sign in to use this" };
    case "invalid_token":
      return { status: 401, challenge: withError(reason), message: DESCRIPTIONS[reason] };
    case "malformed":
      return {
        status: 400,
        challenge: withError("invalid_request"),
        message: DESCRIPTIONS.invalid_request,
      };
    case "insufficient_scope":
      return { status: 403, challenge: withError(reason), message: DESCRIPTIONS[reason] };
  }
}

/**
 * Returns whether a client expects a challenge in the result of a tool rather than as a 401. ChatGPT
 * does; only its `User-Agent` identifies it, because a stateless server has no `clientInfo`.
 */
export const expectsChallengeInResult = (request: { headers: Headers }): boolean =>
  /openai|chatgpt/i.test(readHeader(request, "user-agent") ?? "");
