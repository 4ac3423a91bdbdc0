/** The table of API keys, their scopes, and finding keys by issuer. */
import { z } from "zod";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineTable, isLive, untilUsed } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { KEY_MODES } from "./key_text.ts";
import { keyUses } from "./uses.ts";

/** The scopes of keys, with the texts for people. */
export const KEY_SCOPES = {
  "documents:read": "Read documents",
  "documents:write": "Issue, replace and withdraw documents",
  "webhooks:write": "Manage webhooks",
} as const;
export type KeyScope = keyof typeof KEY_SCOPES;
export const SCOPES = Object.keys(KEY_SCOPES) as KeyScope[];

const time = z.iso.datetime();

/** An API key of an issuer. */
const apiKeyRow = z.strictObject({
  /** The SHA-256 of the key, see {@linkcode hashOfKey}. */
  hash: z.string(),
  /** Identifies the key in documents, forms and the audit log. Nobody can use it as a key. */
  id: z.string(),
  /** The id of an issuer of the commercial organisation. */
  issuer: z.string(),
  mode: z.enum(KEY_MODES),
  /** For people. */
  name: z.string(),
  /** The last four characters of the key, which are part of its checksum. */
  last4: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  /** The email address of an administrator. */
  created_by: z.string(),
  expires_at: time.nullable(),
  /** The id of the key that replaces it. It then expires within seven days. */
  replaced_by: z.string().nullable(),
  revoked_at: time.nullable(),
});
export type ApiKeyRow = z.infer<typeof apiKeyRow>;

/** Identifies a key among those of all issuers. */
export type KeyRef = Pick<ApiKeyRow, "issuer" | "mode" | "id">;

/** Returns a key in short, such as `gh_live_…x7Qa`. */
export const shortKey = ({ mode, last4 }: Pick<ApiKeyRow, "mode" | "last4">): string =>
  `gh_${mode}_…${last4}`;

/** How long a key that has ended is listed. */
const ENDED_MS = 90 * DAY_MS;

const BY_ISSUER = "api_keys_by_issuer";

export const apiKeys = defineTable({
  prefix: "api_keys",
  value: apiKeyRow,
  key: ["hash"],
  indexes: {
    [BY_ISSUER]: {
      keysOf: ({ issuer, id }: ApiKeyRow, key: Deno.KvKey) => [[issuer, id, ...key]],
      value: () => null,
    },
  },
  owner: "organisation",
  lifetime: untilUsed("until 90 days after it was revoked or expired"),
  due: { when: isOld, nightly: true },
  per: "API key of an issuer",
  privacy: {
    section: "consoles",
    label: "API keys",
    text:
      "For administrators who create an API key for an organisation: your email address, until " +
      "90 days after the key has ended.",
  },
});

/**
 * Returns the hash under which a key is stored. It need not be slow, as hashes of passwords are: a key
 * has 190 random bits, so nobody finds it by trying. For the same reason, looking the hash up need not
 * take constant time: a caller cannot choose how much of it matches.
 */
export const hashOfKey = (key: string): string => sha256(key);

/** Reads the keys of an issuer, the newest first. */
export const keysOfIssuer = async (
  kv: Deno.Kv,
  issuer: string,
): Promise<Deno.KvEntry<ApiKeyRow>[]> =>
  (await apiKeys.find(kv, BY_ISSUER, [issuer])).sort(newestFirst);

export const newestFirst = (a: Deno.KvEntry<ApiKeyRow>, b: Deno.KvEntry<ApiKeyRow>): number =>
  a.value.created_at < b.value.created_at ? 1 : -1;

/** Reads the hashes of an issuer's keys. */
export const keyHashes = (kv: Deno.Kv, issuer: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_ISSUER, issuer] }), ({ key }) => String(key.at(-1)));

/** Adds the deletion of a key to a commit. */
export function deleteKey(commit: Deno.AtomicOperation, key: ApiKeyRow): void {
  apiKeys.delete(commit, key);
  commit.delete(keyUses.key(key.hash));
}

/** Reads a key of an issuer by its id. */
export const keyOfIssuer = async (
  kv: Deno.Kv,
  issuer: string,
  id: string,
): Promise<Deno.KvEntry<ApiKeyRow> | undefined> =>
  (await apiKeys.find(kv, BY_ISSUER, [issuer, id]))[0];

/** Returns when a key stopped working, or will; null if it works until somebody changes that. */
const endOf = (
  { revoked_at, expires_at }: Pick<ApiKeyRow, "revoked_at" | "expires_at">,
): string | null => revoked_at ?? expires_at;

/** Returns whether a key ended so long ago that it is no longer listed. */
export function isOld(key: Pick<ApiKeyRow, "revoked_at" | "expires_at">, now: number): boolean {
  const end = endOf(key);
  return end !== null && now - Date.parse(end) > ENDED_MS;
}

/** Returns whether a key works. */
export function works(key: Pick<ApiKeyRow, "revoked_at" | "expires_at">, now: number): boolean {
  if (key.revoked_at !== null) return false;
  const { expires_at } = key;
  return expires_at === null || isLive({ expires_at }, now);
}
