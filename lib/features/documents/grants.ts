import { encodeBase64Url } from "../../base/encoding.ts";
import { cookieValues } from "../../platform/http/cookies.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { type Expiring, expiring, isLive, isoAfter } from "../../platform/kv/mod.ts";
import { SECOND_MS } from "../../base/time.ts";
import {
  type AccessRequestRow,
  GRANT_LIFETIME_MS,
  readRequest,
  stateOf,
} from "./access_requests.ts";

/** A grant that is valid in the browser that sent a request. */
export interface Grant {
  /** The id of the request that was approved, for the access log. It is not a secret. */
  id: string;
  /** The id of the document. */
  document: string;
  /** The hash of the record. */
  record: string;
  /** ISO 8601 in UTC. */
  expires_at: string;
}

/** The row `["access_grants", SHA-256 of the cookie's value]`. */
interface GrantRow extends Expiring {
  /** The id of the request. */
  request: string;
  document: string;
  created_at: string;
}

const COOKIE = "document_grant";
const TOKEN = /^[\w-]{43}$/;

/** The most grants in one browser: as many rows as one read returns. */
const MAX_GRANTS = 10;

const grantKey = (hash: string): Deno.KvKey => ["access_grants", hash];

/** Returns the tokens in the cookie, newest first: one per document. */
function tokensOf(request: Request): string[] {
  const values = cookieValues(request, COOKIE);
  if (values.length !== 1) return [];
  return values[0].split(".", MAX_GRANTS).filter((token) => TOKEN.test(token));
}

/**
 * Returns the grant that the browser of a request has for a document; null if it has none, or if
 * the access has expired or was revoked.
 */
export async function findGrant(
  kv: Deno.Kv,
  now: number,
  request: Request,
  document: string,
): Promise<Grant | null> {
  const hashes = tokensOf(request).map(sha256);
  if (hashes.length === 0) return null;
  const rows = await kv.getMany<GrantRow[]>(hashes.map(grantKey));
  const at = rows.findIndex(({ value }) =>
    value !== null && value.document === document && isLive(value, now)
  );
  if (at === -1) return null;
  const { value: grant } = rows[at];
  const row = await readRequest(kv, grant!.request, now);
  if (row === null || row.grant !== hashes[at] || stateOf(row, now) !== "approved") return null;
  return { id: row.id, document, record: row.record, expires_at: row.ends_at! };
}

/**
 * Adds a grant for a browser to a commit. It replaces the request's grant for another browser. The
 * browser's other grants are kept.
 *
 * @param row an approved request
 * @returns SHA-256 of the new token, and the `Set-Cookie` value
 */
export function addGrant(
  commit: Deno.AtomicOperation,
  request: Request,
  row: AccessRequestRow,
  now: number,
): { grant: string; cookie: string } {
  const token = encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const grant = sha256(token);
  const stored: GrantRow = {
    request: row.id,
    document: row.document,
    created_at: isoAfter(now, 0),
    expires_at: row.ends_at!,
  };
  removeGrant(commit, row);
  commit.set(grantKey(grant), stored, expiring(stored, now));
  const value = [token, ...tokensOf(request)].slice(0, MAX_GRANTS).join(".");
  const maxAge = Math.ceil(GRANT_LIFETIME_MS / SECOND_MS);
  return {
    grant,
    cookie: `${COOKIE}=${value}; HttpOnly; Secure; SameSite=Lax; Max-Age=${maxAge}; Path=/`,
  };
}

/** Adds the deletion of a request's grant to a commit. */
export function removeGrant(
  commit: Deno.AtomicOperation,
  { grant }: Pick<AccessRequestRow, "grant">,
): void {
  if (grant !== null) commit.delete(grantKey(grant));
}
