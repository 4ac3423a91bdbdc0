/** The callers of the MCP server: the rights of a token, and the challenges that ask for one. */
import {
  bearerChallenge,
  type Challenge,
  type ChallengeReason,
} from "../../platform/http/bearer.ts";
import { readHeader } from "../../platform/http/header.ts";

/** The caller of a valid token, with the rights that it gives. */
export interface Caller {
  /** The hash of the holder's record; null for a token without a record, with anonymous rights. */
  record: string | null;
  scopes: readonly string[];
}

/** The authorization server that protects an endpoint. */
export interface Protection {
  /** The URL of the metadata that challenges refer clients to (RFC 9728, section 5.1). */
  resourceMetadataUrl: string;
  /** Returns the caller of a token; null unless it is valid for this endpoint now. */
  callerOf(token: string): Promise<Caller | null>;
}

/** The scope of the endpoint itself, which every token has. */
const BASE_SCOPE = "mcp";

/** Returns the refusal of a request, and the challenge that asks for a scope besides the base one. */
export function challengeOf(
  { resourceMetadataUrl }: Protection,
  reason: ChallengeReason,
  scope: string = BASE_SCOPE,
): Challenge & { message: string } {
  const challenged = {
    resourceMetadataUrl,
    scope: scope === BASE_SCOPE ? scope : `${BASE_SCOPE} ${scope}`,
    insufficient: "The access token does not give access to a record.",
  };
  return { message: "sign in to use this", ...bearerChallenge(challenged, reason) };
}

/**
 * Returns whether a client expects a challenge in the result of a tool rather than as a 401. ChatGPT
 * does; only its `User-Agent` identifies it, because a stateless server has no `clientInfo`.
 */
export const expectsChallengeInResult = (request: { headers: Headers }): boolean =>
  /openai|chatgpt/i.test(readHeader(request, "user-agent") ?? "");

/** The limit of messages and requests per minute with the tokens of one record (docs/agents.md). */
export const RECORD_REQUESTS_PER_MINUTE = 600;
