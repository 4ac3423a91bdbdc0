/** Lists, creates and replaces the API keys of an issuer. */
import { isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { addAudit, type AuditAction } from "../audit/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { readIssuer } from "./change.ts";
import { KEY_ORGANISATION, type KeyChange, type KeysOptions } from "./key_options.ts";
import { type NewKey, newKeyId, type Rotation } from "./key_input.ts";
import { addKeyNotice, type KeyNotice } from "./key_mails.ts";
import {
  type ApiKeyRow,
  apiKeys,
  hashOfKey,
  keyHashes,
  keyOfIssuer,
  keysOfIssuer,
  newestFirst,
  shortKey,
  works,
} from "./key_rows.ts";
import { networksOf } from "./key_networks.ts";
import { newKey } from "./key_text.ts";
import { type IssuerRow, issuerRows } from "./rows.ts";
import { keyUses } from "./uses.ts";

/** The most keys of one issuer that work at the same time. */
export const MAX_KEYS = 20;

/** A key with its last uses. */
export interface UsedKey extends ApiKeyRow {
  /** ISO 8601 in UTC; null if it was not used yet. */
  last_used_at: string | null;
  /** The networks from which a live key was used, the last one first. */
  networks: string[];
}

/** A new key. Only its hash is stored, so it can be shown once. */
type NewKeyResult = { ok: true; key: string; row: ApiKeyRow } | Failure;

/** The API keys of issuers, for administrators of the commercial console. */
export type KeyManagement = ReturnType<typeof createKeyManagement>;

export function createKeyManagement(options: KeysOptions) {
  const { kv, clock, mailer } = options;
  const issuerOf = (id: string) => readIssuer(options, KEY_ORGANISATION, id);

  /** Adds the entry in the audit log and the notice to the commit of a change. */
  async function addTraces(
    commit: Deno.AtomicOperation,
    { by, action, ...notice }: KeyNotice & { by: string; action: AuditAction },
    now: number,
  ): Promise<QueuedMail[]> {
    const { issuer, key } = notice;
    const about = { object: { issuer: issuer.id }, detail: shortKey(key) };
    addAudit(commit, { organisation: KEY_ORGANISATION, by, action, ...about }, now);
    return await addKeyNotice(options, commit, notice, now);
  }

  /**
   * Adds a key to a commit. It writes the issuer's row, unchanged, so that of two commits that add a key at
   * the same time, one fails and the limit holds.
   */
  function add(
    commit: Deno.AtomicOperation,
    issuer: Deno.KvEntryMaybe<IssuerRow> & { value: IssuerRow },
    given: Pick<ApiKeyRow, "id" | "mode" | "name" | "scopes" | "expires_at" | "created_by">,
    now: number,
  ) {
    const key = newKey(given.mode);
    const row: ApiKeyRow = {
      ...given,
      hash: hashOfKey(key),
      issuer: issuer.value.id,
      last4: key.slice(-4),
      created_at: isoAfter(now, 0),
      replaced_by: null,
      revoked_at: null,
    };
    const { value, ...entry } = issuer;
    commit.check(entry);
    issuerRows.set(commit, value);
    apiKeys.set(commit, row);
    return { key, row };
  }

  return {
    /** Returns the keys of an issuer, the newest first, with those that ended less than 90 days ago. */
    async list(issuer: string): Promise<UsedKey[]> {
      const hashes = (await keyHashes(kv, issuer)).map((hash): [string] => [hash]);
      const [keys, uses, networks] = await Promise.all([
        apiKeys.getMany(kv, hashes),
        keyUses.getMany(kv, hashes),
        networksOf(kv, issuer),
      ]);
      const times = new Map(uses.map(({ value: { hash, used_at } }) => [hash, used_at]));
      return keys.sort(newestFirst)
        .map(({ value }) => ({
          ...value,
          last_used_at: times.get(value.hash) ?? null,
          networks: networks.get(value.id) ?? [],
        }));
    },
    /**
     * Returns whether a key was revoked.
     *
     * @param commit fails if that changes meanwhile
     */
    async isRevoked(
      { issuer, key: id }: { issuer: string; key: string },
      commit?: Deno.AtomicOperation,
    ): Promise<boolean> {
      const entry = await keyOfIssuer(kv, issuer, id);
      if (entry !== undefined) commit?.check(entry);
      return entry !== undefined && entry.value.revoked_at !== null;
    },
    /**
     * Creates a key. Fails with `conflict` if the form was sent before, because the key was shown then,
     * if the issuer has ended, or if it has too many keys.
     */
    async create({ issuer: id, by, ...given }: KeyChange & NewKey): Promise<NewKeyResult> {
      return await transactAndMail<NewKeyResult>(mailer, async () => {
        const now = clock();
        const issuer = await issuerOf(id);
        const { value } = issuer;
        if (value === null) return { result: fail("not_found") };
        if (value.state === "ended") return { result: conflict(ENDED) };
        const keys = await keysOfIssuer(kv, id);
        unchecked(OTHERS, ...keys);
        if (keys.some((key) => key.value.id === given.id)) return { result: conflict(SHOWN) };
        if (working(keys, now) >= MAX_KEYS) return { result: conflict(TOO_MANY) };
        const { lifetime_days, ...chosen } = given;
        const commit = kv.atomic();
        const added = add(commit, { ...issuer, value }, {
          ...chosen,
          created_by: by,
          expires_at: lifetime_days === null ? null : isoAfter(now, lifetime_days * DAY_MS),
        }, now);
        const notice = { issuer: value, key: added.row, what: "created" } as const;
        const mails = await addTraces(commit, { ...notice, by, action: "api_key_created" }, now);
        return { result: { ok: true, ...added }, commit, mails };
      });
    },
    /**
     * Replaces a key by a new one with the same name, mode and scopes. The old one works until the
     * overlap is over. The new one is valid for as long as the old one was meant to be.
     */
    async rotate(
      { issuer: id, by, key: keyId, overlap_hours }: KeyChange & Rotation,
    ): Promise<NewKeyResult> {
      return await transactAndMail<NewKeyResult>(mailer, async () => {
        const now = clock();
        const issuer = await issuerOf(id);
        const { value } = issuer;
        const old = await keyOfIssuer(kv, id, keyId);
        if (value === null || old === undefined) return { result: fail("not_found") };
        if (value.state === "ended") return { result: conflict(ENDED) };
        if (old.value.replaced_by !== null) return { result: conflict(REPLACED) };
        if (!works(old.value, now)) return { result: conflict(OVER) };
        const keys = await keysOfIssuer(kv, id);
        unchecked(OTHERS, ...keys.filter(({ value }) => value.id !== keyId));
        const left = working(keys, now) - (overlap_hours === 0 ? 1 : 0);
        if (left >= MAX_KEYS) return { result: conflict(TOO_MANY_TO_OVERLAP) };
        const { mode, name, scopes, created_at, expires_at } = old.value;
        const lifetime = expires_at === null
          ? null
          : Date.parse(expires_at) - Date.parse(created_at);
        const commit = kv.atomic();
        const added = add(commit, { ...issuer, value }, {
          ...{ id: newKeyId(), mode, name, scopes, created_by: by },
          expires_at: lifetime === null ? null : isoAfter(now, lifetime),
        }, now);
        const end = isoAfter(now, overlap_hours * HOUR_MS);
        const until = expires_at !== null && expires_at < end ? expires_at : end;
        const replaced = {
          ...old.value,
          replaced_by: added.row.id,
          expires_at: until,
          // It may have leaked: its work ends as if it was revoked.
          revoked_at: overlap_hours === 0 ? end : null,
        };
        apiKeys.replace(commit, old, replaced);
        const notice = {
          issuer: value,
          key: old.value,
          what: "replaced",
          until,
          next: added.row,
        } as const;
        const mails = await addTraces(commit, { ...notice, by, action: "api_key_replaced" }, now);
        return { result: { ok: true, ...added }, commit, mails };
      });
    },
  };
}

const OTHERS = "A new key changes the row of its issuer, and no other change makes more of them.";
const ENDED = "This issuer has ended, so you cannot create keys for it.";
const SHOWN =
  "This form was already sent, and the key was shown then. If you did not copy it, revoke it.";
const TOO_MANY = `An issuer can have ${MAX_KEYS} active keys. Revoke one first.`;
const TOO_MANY_TO_OVERLAP =
  `An issuer can have ${MAX_KEYS} keys that work. Revoke one first, or let the ` +
  "old key stop at once.";
const REPLACED = "This key was already replaced.";
const OVER = "This key has expired or was revoked.";

const conflict = (message: string) => fail("conflict", { message });

const working = (keys: readonly Deno.KvEntry<ApiKeyRow>[], now: number): number =>
  keys.filter(({ value }) => works(value, now)).length;
