import { z } from "zod";
import { encodeBase64Url } from "../../base/encoding.ts";
import { cookieValues } from "../../platform/http/cookies.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../../platform/kv/mod.ts";
import { DAY_MS, inDays, SECOND_MS } from "../../base/time.ts";
import {
  type AccessRequestRow,
  GRANT_LIFETIME_MS,
  type NamedRequest,
  readRequest,
  stateOf,
} from "./access_requests.ts";
import { formatDocumentId } from "./ids.ts";

/** A grant that is valid in the browser that sent a request. */
export interface Grant {
  /** Identifies the request that was approved, or the holder's link. It is not a secret. */
  id: string;
  /** Names it in the access log. */
  name: string;
  /** The id of the document. */
  document: string;
  /** The hash of the record. */
  record: string;
  /** ISO 8601 in UTC. */
  expires_at: string;
}

/** The grants of browsers, by SHA-256 of the cookie's value. */
export const grants = defineTable({
  prefix: "access_grants",
  value: z.strictObject({
    /** The id of the request. */
    request: z.string(),
    document: z.string(),
    created_at: z.string(),
    ...EXPIRING,
  }),
  key: ["hash"],
  owner: "record",
  lifetime: expires(`at most ${inDays(GRANT_LIFETIME_MS)} and ${inDays(DAY_MS)}`),
  per: "browser with access",
  privacy: { section: "document_access", label: "Links and access" },
});

const COOKIE = "document_grant";
const TOKEN = /^[\w-]{43}$/;

/** The most grants in one browser: as many rows as one read returns. */
const MAX_GRANTS = 10;

/** Returns the tokens in the cookie, newest first: one per document. */
function tokensOf(request: Request): string[] {
  const values = cookieValues(request, COOKIE);
  if (values.length !== 1) return [];
  return values[0].split(".", MAX_GRANTS).filter((token) => TOKEN.test(token));
}

/** Returns the ids of the documents for which the browser of a request may have a grant. */
export async function documentsOfGrants(kv: Deno.Kv, request: Request): Promise<string[]> {
  const found = await readGrants(kv, request);
  return found.map(({ value }) => value.document);
}

const readGrants = (kv: Deno.Kv, request: Request) =>
  grants.getMany(kv, tokensOf(request).map((token): [string] => [sha256(token)]));

/**
 * Returns the grant that the browser of a request has for a document; null if it has none, or if
 * the access has expired or was revoked.
 */
export async function findGrant(
  kv: Deno.Kv,
  now: number,
  request: Request,
  document: string,
  named?: NamedRequest,
): Promise<Grant | null> {
  const found = await readGrants(kv, request);
  const grant = found.find(({ value }) => value.document === document && isLive(value, now));
  if (grant === undefined) return null;
  const { request: id } = grant.value;
  const row = await (id === named?.id ? named.read() : readRequest(kv, id, now));
  if (row === null || row.grant !== grant.key[1] || stateOf(row, now) !== "approved") return null;
  const name = `the grant ${formatDocumentId(row.id)}`;
  return { id: row.id, name, document, record: row.record, expires_at: row.ends_at! };
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
  const stored = {
    request: row.id,
    document: row.document,
    created_at: isoAfter(now, 0),
    expires_at: row.ends_at!,
  };
  removeGrant(commit, row);
  grants.put(commit, [grant], stored, now);
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
  { grant }: AccessRequestRow,
): void {
  if (grant !== null) commit.delete(grants.key(grant));
}
