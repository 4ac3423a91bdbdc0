/** The tokens as one service: issuing and revoking them, and checking them on each request. */
import { addressKey } from "../../platform/http/client_address.ts";
import { createLastUses } from "../../platform/http/last_use.ts";
import { createRateLimiter, type RateLimiter } from "../../platform/http/rate_limit.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import type { Actor, Demand } from "../../platform/kv/mod.ts";
import type { Protection } from "../mcp/mod.ts";
import type { RateLimited } from "../../base/result.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { type Bearer, readBearerToken } from "./bearer.ts";
import {
  exchangeCode,
  type ExchangeOptions,
  refreshTokens,
  refuse,
  type TokenFailure,
  type TokenResult,
} from "./exchange.ts";
import { endGrant, USE_MS } from "./grants.ts";
import { isIssuedBy, type Issuer } from "./issuer.ts";
import type { OAuth } from "./oauth.ts";
import { purposeOf } from "./scopes.ts";
import {
  type Read,
  readCodeRequest,
  readRefreshRequest,
  readRevocation,
  type TokenForm,
} from "./token_request.ts";
import { deleteToken, findToken } from "./token_rows.ts";

/** Requests per minute from one client address. Hosted clients send those of many people. */
export const TOKEN_REQUESTS_PER_MINUTE = 300;
const MAX_CLIENTS = 10_000;
const ALLOWED = { ok: true } as const;

interface TokensOptions extends ExchangeOptions {
  oauth: Pick<OAuth, "issuerOf" | "isRegistered" | "touchClient">;
  /** Counts requests of a record, whatever they are for. Default: no limit. */
  recordLimiter?: RateLimiter;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
}

/** The tokens of the authorization servers. */
export type Tokens = ReturnType<typeof createTokens>;

/** Creates what issues, finds and ends the tokens of apps. */
export function createTokens(options: TokensOptions) {
  const { kv, clock, oauth, recordLimiter } = options;
  const uses = createLastUses({ everyMs: USE_MS });
  const read = (token: string, resource: string) =>
    readBearerToken({ kv, clock, uses }, token, resource);
  const limiter = createRateLimiter({
    limit: TOKEN_REQUESTS_PER_MINUTE,
    windowMs: MINUTE_MS,
    monotonic: options.monotonic,
    maxClients: MAX_CLIENTS,
  });

  function demandOf(
    found: Bearer,
    token: string,
    resource: string,
    ended: () => Error,
  ): Demand {
    let bearer: Bearer | null = found;
    return {
      ask() {
        if (bearer === null) throw ended();
        return bearer.grounds;
      },
      async read() {
        bearer = await read(token, resource);
      },
    };
  }

  async function forClient<Request extends { client_id: string }>(
    { request, ...invalid }: Read<Request>,
    exchange: (request: Request) => Promise<TokenResult>,
  ): Promise<TokenResult> {
    if (request === null) return invalidParameter(invalid as { parameter: string });
    const { client_id } = request;
    // A client whose id is the URL of a document needs no registration; its code is bound to the id.
    const isKnown = client_id.startsWith("https://") || await oauth.isRegistered(client_id);
    if (!isKnown) {
      return refuse("invalid_client", "The client is not registered here, or no longer.");
    }
    const result = await exchange(request);
    if (result.ok) await oauth.touchClient(client_id);
    return result;
  }

  return {
    /** Exchanges a code or a refresh token at `/token`. */
    async issue(
      issuer: Issuer,
      form: TokenForm,
      clientAddress: string,
    ): Promise<TokenResult | RateLimited> {
      const allowed = limiter.take(addressKey(clientAddress));
      if (!allowed.ok) return allowed;
      switch (form.grant_type) {
        case undefined:
          return invalidParameter({ parameter: "grant_type" });
        case "authorization_code":
          return await forClient(
            readCodeRequest(form),
            (request) => exchangeCode(options, request, issuer),
          );
        case "refresh_token":
          return await forClient(
            readRefreshRequest(form),
            (request) => refreshTokens(options, request, issuer),
          );
        default:
          return refuse(
            "unsupported_grant_type",
            "This server supports authorization_code and refresh_token.",
          );
      }
    },
    /** Revokes a token at `/revoke`. Succeeds for unknown tokens too (RFC 7009, section 2.2). */
    async revoke(
      issuer: Issuer,
      form: TokenForm,
      clientAddress: string,
    ): Promise<{ ok: true } | TokenFailure | RateLimited> {
      const allowed = limiter.take(addressKey(clientAddress));
      if (!allowed.ok) return allowed;
      const { request, ...invalid } = readRevocation(form);
      if (request === null) return invalidParameter(invalid as { parameter: string });
      const { token: text, client_id } = request;
      const now = clock();
      const found = await findToken(kv, text, "refresh", now) ??
        await findToken(kv, text, "access", now);
      if (found === null || !isIssuedBy(issuer, found.grant.value)) return { ok: true };
      const { token: { value: { kind } }, grant: { value: grant } } = found;
      if (client_id !== undefined && client_id !== grant.client_id) {
        return refuse("invalid_grant", "The token belongs to another client.");
      }
      // Without a refresh token, nothing else ends what was registered with the grant.
      const isLast = purposeOf(grant) === "notifications" &&
        !grant.scopes.includes("offline_access");
      if (kind === "refresh" || isLast) {
        await endGrant(options, grant.id, { reason: "revoked", now });
      } else await deleteToken(kv, sha256(text), found.token.value);
      return { ok: true };
    },
    /**
     * Returns what checks the tokens at a surface's `/mcp`, and demands them of the sender of the request;
     * null if nobody can sign in there. `ended` returns the error once the token is not valid.
     */
    protectionOf(surface: Surface, actor: Actor, ended: () => Error): Protection | null {
      const issuer = oauth.issuerOf(surface);
      return issuer && {
        resourceMetadataUrl: issuer.resourceMetadataUrl,
        callerOf: async (token) => {
          const found = await read(token, issuer.resource);
          if (found !== null) actor.demand(demandOf(found, token, issuer.resource, ended));
          return found;
        },
      };
    },
    /** Returns the demand of a token that was valid. `ended` returns the error once it is not. */
    demandOf,
    /**
     * Checks a token at a resource other than `/mcp`, and counts the request for the token's record, or
     * else for the client address.
     *
     * @returns null unless the token is valid there now
     */
    async check(
      token: string,
      resource: string,
      clientAddress: string,
    ): Promise<{ ok: true; bearer: Bearer | null } | RateLimited> {
      const found = await read(token, resource);
      const allowed = found === null || found.record === null
        ? limiter.take(addressKey(clientAddress))
        : recordLimiter?.take(found.record) ?? ALLOWED;
      return allowed.ok ? { ok: true, bearer: found } : allowed;
    },
  };
}

const invalidParameter = ({ parameter }: { parameter: string }): TokenFailure =>
  refuse("invalid_request", `The parameter ${parameter} is missing or malformed.`);
