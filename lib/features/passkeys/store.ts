import { sha256 } from "../../platform/kv/hash.ts";
import { transact, whenUnlocked } from "../../platform/kv/mod.ts";

/**
 * A row of `passkey_credentials` (spec 2.9, and the columns that it lacks). Times are milliseconds
 * since 1970. It contains no secret: the private key exists only in the authenticator.
 */
export interface Passkey {
  /** SHA-256 of the credential id, which may be too long for a key. */
  id: string;
  /** The record that the passkey opens. */
  contact_hash: string;
  /** As the authenticator chose it, in base64url. */
  credential_id: string;
  /** COSE key in base64url. */
  public_key: string;
  /** The authenticator's last counter; synced passkeys always send 0. */
  sign_count: number;
  created_at: number;
  last_used: number | null;
  /** The holder's random id, which authenticators return on sign-in. */
  user_handle: string;
  /** How the authenticator is reached, such as `internal` or `hybrid`. */
  transports: string[];
  /** `multiDevice` if it can be synced. An authenticator never changes this. */
  device_type: "singleDevice" | "multiDevice";
  /** True if it was synced when it was last used. */
  backed_up: boolean;
  /** Identifies the provider; all zeros if it is unknown. */
  aaguid: string;
  /** The host that it belongs to. */
  rp_id: string;
  name: string;
  /** COSE algorithm, such as -7 for ES256. */
  algorithm: number;
}

/** The maximum number of passkeys of one record. A correction may join those of two records. */
export const MAX_PASSKEYS = 20;

const CREDENTIALS = "passkey_credentials";
const BY_CONTACT = "passkey_credentials_by_contact";

/** Returns the id of a passkey's row. */
export const passkeyId = (credentialId: string): string => sha256(credentialId);

const passkeyKey = (id: string): Deno.KvKey => [CREDENTIALS, id];
const indexKey = (hash: string, id: string): Deno.KvKey => [BY_CONTACT, hash, id];

/** Reads a passkey as an entry that a commit can check. */
export const passkeyEntry = (
  kv: Deno.Kv,
  id: string,
): Promise<Deno.KvEntryMaybe<Passkey>> => kv.get<Passkey>(passkeyKey(id));

/** Returns the passkeys of a record, oldest first. */
export async function listPasskeys(kv: Deno.Kv, hash: string): Promise<Passkey[]> {
  const ids: string[] = [];
  for await (const { key } of kv.list({ prefix: [BY_CONTACT, hash] })) ids.push(String(key[2]));
  const passkeys: Passkey[] = [];
  for (let i = 0; i < ids.length; i += 10) {
    const entries = await kv.getMany<Passkey[]>(ids.slice(i, i + 10).map(passkeyKey));
    for (const { value } of entries) if (value !== null) passkeys.push(value);
  }
  return passkeys.sort((a, b) => a.created_at - b.created_at);
}

/** Adds a new or changed passkey to a commit. */
export function savePasskey(commit: Deno.AtomicOperation, passkey: Passkey): void {
  commit.set(passkeyKey(passkey.id), passkey)
    .set(indexKey(passkey.contact_hash, passkey.id), null);
}

/** Adds the deletion of a passkey to a commit. */
export function deletePasskey(
  commit: Deno.AtomicOperation,
  { id, contact_hash }: Pick<Passkey, "id" | "contact_hash">,
): void {
  commit.delete(passkeyKey(id)).delete(indexKey(contact_hash, id));
}

/** Deletes all passkeys of a record. */
export async function deletePasskeysOf(kv: Deno.Kv, hash: string): Promise<void> {
  for (const passkey of await listPasskeys(kv, hash)) {
    await whenUnlocked(() => {
      const commit = kv.atomic();
      deletePasskey(commit, passkey);
      return commit.commit();
    });
  }
}

/**
 * Moves all passkeys of a record to the record that corrects it. Mark the old record as replaced
 * first, because it gets no new passkeys after that.
 */
export async function movePasskeys(kv: Deno.Kv, from: string, to: string): Promise<void> {
  for (const { id } of await listPasskeys(kv, from)) {
    await transact(async () => {
      const entry = await passkeyEntry(kv, id); // a sign-in may have changed it
      if (entry.value?.contact_hash !== from) return { result: undefined };
      const commit = kv.atomic().check(entry);
      deletePasskey(commit, entry.value);
      savePasskey(commit, { ...entry.value, contact_hash: to });
      return { result: undefined, commit };
    });
  }
}
