/** The token endpoint's grants: exchanging a code or a refresh token for new tokens. */
import { encodeBase64Url } from "../../base/encoding.ts";
import { isSameSecret, sha256 } from "../../platform/kv/hash.ts";
import { isLive, isoAfter, transact, unchecked } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { fail, type Failure } from "../../base/result.ts";
import { SECOND_MS } from "../../base/time.ts";
import { endGrant, type GrantDeps } from "./grants.ts";
import { isIssuedBy, isSameResource, type Issuer } from "./issuer.ts";
import { codes, type Grant, grants, storedTokens } from "./rows.ts";
import { purposeOf, RESOURCE_SCOPES, type Scope, SCOPES } from "./scopes.ts";
import {
  findToken,
  isRecordOpen,
  issueTokens,
  REFRESH_LIFETIME_MS,
  setToken,
  type TokenResponse,
  tokenText,
} from "./token_rows.ts";
import type { CodeRequest, RefreshRequest } from "./token_request.ts";

/** Why no tokens are issued (RFC 6749, section 5.2; RFC 8707, section 2). */
export type TokenFailure =
  & Failure<
    | "invalid_request"
    | "invalid_client"
    | "invalid_grant"
    | "unsupported_grant_type"
    | "invalid_scope"
    | "invalid_target"
  >
  & { message: string };

export type TokenResult = { ok: true; tokens: TokenResponse } | TokenFailure;

export interface ExchangeOptions extends GrantDeps {
  clock: () => number;
  secrets: Secrets;
}

/**
 * How long a refresh token that was used returns the same successor again, for clients that lost the
 * response.
 */
const REPLAY_MS = 60 * SECOND_MS;

/** Refuses a request with the code and message that the client gets. */
export const refuse = (error: TokenFailure["error"], message: string): TokenFailure => ({
  ...fail(error),
  message,
});

const BAD_CODE = refuse(
  "invalid_grant",
  "The code is unknown, expired, used, or was issued for another client, URI or verifier.",
);
const BAD_REFRESH = refuse("invalid_grant", "The refresh token is unknown, expired or revoked.");
const BAD_TARGET = refuse("invalid_target", "The tokens are for another resource.");

/**
 * Exchanges a code for tokens, once. A second use ends the grant, with all tokens that the first one
 * got, because one of the two clients is not the one that the person approved.
 *
 * @param issuer the authorization server that received the request
 */
export async function exchangeCode(
  options: ExchangeOptions,
  request: CodeRequest,
  issuer: Issuer,
): Promise<TokenResult> {
  const { kv, clock } = options;
  let reused: string | null = null;
  const result = await transact<TokenResult>(async () => {
    const now = clock();
    const { state, entry } = await codes.find(kv, request.code, now);
    if (state === "unknown") return { result: BAD_CODE };
    const code = entry.value;
    if (code.used === 1) reused = code.grant;
    if (
      state !== "open" || code.client_id !== request.client_id || !isIssuedBy(issuer, code) ||
      (request.redirect_uri ?? code.redirect_uri) !== code.redirect_uri ||
      !matchesChallenge(request.code_verifier, code.challenge)
    ) return { result: BAD_CODE };
    if (!isTarget(request.resource, code.resource)) return { result: BAD_TARGET };
    const grant = await grants.get(kv, code.grant);
    if (grant.versionstamp === null || !isLive(grant.value, now)) return { result: BAD_CODE };
    if (!await isRecordOpen(kv, { grant })) return { result: BAD_CODE };

    const commit = kv.atomic().check(grant);
    codes.use(commit, entry, now);
    const { id, scopes } = grant.value;
    const refreshToken = scopes.includes("offline_access") ? tokenText("refresh", id) : undefined;
    if (refreshToken !== undefined) addRefresh(commit, refreshToken, grant.value, now);
    const tokens = issueTokens(commit, grant.value, { scopes, refreshToken, now });
    return { result: { ok: true, tokens }, commit };
  });
  if (reused !== null) await endGrant(options, reused, { reason: "replayed", now: clock() });
  return result;
}

/**
 * Exchanges a refresh token for its successor and an access token. The successor is an HMAC of the
 * token, so that the same one is returned again for a minute although only hashes are stored. Later
 * reuse ends the grant.
 */
export async function refreshTokens(
  options: ExchangeOptions,
  request: RefreshRequest,
  issuer: Issuer,
): Promise<TokenResult> {
  const { kv, clock, secrets } = options;
  const presented = request.refresh_token;
  let [ended, replayed]: [string | null, boolean] = [null, false];
  const result = await transact<TokenResult>(async () => {
    const now = clock();
    const found = await findToken(kv, presented, "refresh", now);
    if (found === null) return { result: BAD_REFRESH };
    const { token, grant } = found;
    const { id, client_id } = grant.value;
    const { rotated_at } = token.value;
    const isLate = rotated_at !== undefined && now - Date.parse(rotated_at) >= REPLAY_MS;
    if (isLate || !await isRecordOpen(kv, found)) {
      [ended, replayed] = [id, isLate];
      return { result: BAD_REFRESH };
    }
    if (client_id !== request.client_id || !isIssuedBy(issuer, grant.value)) {
      return { result: BAD_REFRESH };
    }
    if (!isTarget(request.resource, grant.value.resource)) return { result: BAD_TARGET };
    const scopes = narrowed(grant.value.scopes, request.scope);
    if (scopes === null) {
      return {
        result: refuse(
          "invalid_scope",
          "Request at least one scope of the resource, and only scopes that the person approved.",
        ),
      };
    }

    const successors = (await secrets.signatures("oauth-refresh", presented))
      .map((secret) => tokenText("refresh", id, secret));
    const commit = kv.atomic().check(grant, token);
    const refreshToken = rotated_at === undefined
      ? successors[0]
      : await firstStored(kv, successors);
    if (refreshToken === undefined) return { result: BAD_REFRESH };
    if (rotated_at === undefined) {
      setToken(commit, presented, { ...token.value, rotated_at: isoAfter(now, 0) }, now);
      addRefresh(commit, refreshToken, grant.value, now);
    }
    const tokens = issueTokens(commit, grant.value, { scopes, refreshToken, now });
    return { result: { ok: true, tokens }, commit };
  });
  const why = replayed ? { reason: "replayed", now: clock() } as const : undefined;
  if (ended !== null) await endGrant(options, ended, why);
  return result;
}

/** Checks a PKCE verifier against its S256 challenge (RFC 7636, section 4.6). */
function matchesChallenge(verifier: string, challenge: string): boolean {
  const computed = encodeBase64Url(Uint8Array.fromHex(sha256(verifier)));
  return isSameSecret(challenge, computed);
}

/** Returns whether every resource that a request names is the one that the tokens are for. */
const isTarget = (named: readonly string[], resource: string): boolean =>
  named.every((each) => isSameResource(each, resource));

/**
 * Returns the requested scopes; null if one of them was not granted (RFC 6749, section 6), or if none
 * concerns the resource, so that the access token would be for nothing.
 */
function narrowed(granted: readonly Scope[], requested: string | undefined): Scope[] | null {
  if (requested === undefined) return [...granted];
  const names = requested.split(" ").filter((name) => name !== "");
  if (!names.every((name) => (granted as readonly string[]).includes(name))) return null;
  const own = RESOURCE_SCOPES[purposeOf({ scopes: granted })];
  if (!own.some((scope) => names.includes(scope))) return null;
  return SCOPES.filter((scope) => names.includes(scope));
}

function addRefresh(
  commit: Deno.AtomicOperation,
  text: string,
  { id, scopes }: Grant,
  now: number,
): void {
  const expires_at = isoAfter(now, REFRESH_LIFETIME_MS);
  setToken(commit, text, { kind: "refresh", grant: id, scopes, expires_at }, now);
}

/** Returns the successor that was issued; another secret may be the current one since then. */
async function firstStored(kv: Deno.Kv, texts: readonly string[]): Promise<string | undefined> {
  const rows = await kv.getMany(texts.map((text) => storedTokens.key(sha256(text))));
  unchecked("A stored token stays as long as its grant.", ...rows);
  return texts.find((_, i) => rows[i].versionstamp !== null);
}
