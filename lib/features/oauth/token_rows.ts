/** Creates, finds and deletes the access and refresh tokens of a grant. */
import { encodeBase64Url } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { isLive, isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { readExisting, recordRows } from "../records/mod.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { type Grant, grants, grantUses, type StoredToken, storedTokens } from "./rows.ts";
import { purposeOf, type Scope } from "./scopes.ts";

const ACCESS_LIFETIME_MS = HOUR_MS;
/** How long a grant lasts after its last refresh. */
export const REFRESH_LIFETIME_MS = 90 * DAY_MS;
/**
 * How long a grant for notifications lasts after its last tokens, even without a refresh token. A phone
 * that is not seen stays registered for the same time, because phones end with their grant.
 */
const NOTIFICATIONS_LIFETIME_MS = 270 * DAY_MS;

/** `gha_` starts an access token, `ghr_` a refresh token; then the grant's id and a secret. */
const PREFIXES = { access: "gha", refresh: "ghr" } as const;
const TOKEN = /^gh([ar])_([\w-]{22})_[\w-]{43}$/;
const MAX_TOKEN = 200;

/** The successful response of the token endpoint (RFC 6749, section 5.1). */
export interface TokenResponse {
  access_token: string;
  token_type: "Bearer";
  /** The lifetime of the access token in seconds. */
  expires_in: number;
  refresh_token?: string;
  scope: string;
}

/** A token of a grant, with the rows that make it valid. */
interface FoundToken {
  token: Deno.KvEntry<StoredToken>;
  grant: Deno.KvEntry<Grant>;
}

/** Returns the text of a token. Without `secret` (256 bits in base64url), it is a random one. */
export function tokenText(
  kind: StoredToken["kind"],
  grant: string,
  secret: string = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
): string {
  return `${PREFIXES[kind]}_${grant}_${secret}`;
}

/**
 * Reads a token and its grant. A text that is not a token of this kind is not looked up.
 *
 * @returns null unless both exist and have not expired
 */
export async function findToken(
  kv: Deno.Kv,
  text: string,
  kind: StoredToken["kind"],
  now: number,
): Promise<FoundToken | null> {
  const match = text.length > MAX_TOKEN ? null : TOKEN.exec(text);
  if (match === null || !PREFIXES[kind].endsWith(match[1])) return null;
  const [token, grant] = await kv.getMany<[StoredToken, Grant]>([
    storedTokens.key(sha256(text)),
    grants.key(match[2]),
  ]);
  if (token.versionstamp === null || grant.versionstamp === null) return null;
  if (token.value.kind !== kind || token.value.grant !== grant.value.id) return null;
  if (!isLive(token.value, now) || !isLive(grant.value, now)) return null;
  return { token, grant };
}

const GRANTS_END = "Whatever closes a record ends its grants, without which no token works.";

/** Returns whether the record of a token's grant exists and has not been replaced or closed. */
export async function isRecordOpen(
  kv: Deno.Kv,
  { grant: { value: { record } } }: { grant: Deno.KvEntry<Grant> },
): Promise<boolean> {
  if (record === null) return true;
  const entry = await recordRows.get(kv, record);
  unchecked(GRANTS_END, entry);
  const { value: row } = entry;
  if (row === null) return await readExisting(kv, record) !== null;
  return row.replaced_by === null && !row.deletion_at;
}

/**
 * Adds new tokens of a grant to a commit, which must check the grant, and extends the grant.
 *
 * @param options.scopes what the access token allows
 * @param options.refreshToken undefined for none
 */
export function issueTokens(
  commit: Deno.AtomicOperation,
  grant: Grant,
  { scopes, refreshToken, now }: { scopes: Scope[]; refreshToken?: string; now: number },
): TokenResponse {
  const access_token = tokenText("access", grant.id);
  setToken(commit, access_token, {
    kind: "access",
    grant: grant.id,
    scopes,
    expires_at: isoAfter(now, ACCESS_LIFETIME_MS),
  }, now);
  const lifetimeMs = purposeOf(grant) === "notifications"
    ? NOTIFICATIONS_LIFETIME_MS
    : refreshToken === undefined
    ? ACCESS_LIFETIME_MS
    : REFRESH_LIFETIME_MS;
  const expires_at = isoAfter(now, lifetimeMs);
  grants.set(commit, { ...grant, expires_at }, now);
  grantUses.set(commit, { grant: grant.id, used_at: isoAfter(now, 0), expires_at }, now);
  return {
    access_token,
    token_type: "Bearer",
    expires_in: ACCESS_LIFETIME_MS / 1000,
    ...refreshToken === undefined ? {} : { refresh_token: refreshToken },
    scope: scopes.join(" "),
  };
}

/** Deletes a token. */
export async function deleteToken(kv: Deno.Kv, hash: string, row: StoredToken): Promise<void> {
  const commit = kv.atomic();
  storedTokens.deleteAt(commit, [hash], row);
  await commit.commit();
}

/** Adds a token's row to a commit, under the hash of the token. */
export function setToken(
  commit: Deno.AtomicOperation,
  text: string,
  row: StoredToken,
  now: number,
): void {
  storedTokens.put(commit, [sha256(text)], row, now);
}
