import { passkeyId } from "../credential.ts";
import { type HolderPasskey, holderPasskeys } from "../holders.ts";

/** Returns a passkey of a record, as it is stored. */
export const passkeyOf = (
  contact_hash: string,
  change: Partial<HolderPasskey> = {},
): HolderPasskey => ({
  id: passkeyId(`${contact_hash} ${change.created_at ?? 0}`),
  contact_hash,
  credential_id: `${contact_hash} ${change.created_at ?? 0}`,
  public_key: "",
  sign_count: 0,
  created_at: 0,
  last_used: null,
  user_handle: "handle",
  transports: [],
  device_type: "multiDevice",
  backed_up: true,
  aaguid: "00000000-0000-0000-0000-000000000000",
  rp_id: "trust.localhost",
  name: "Passkey",
  algorithm: -7,
  ...change,
});

/** Stores a passkey without the ceremony that adds one. */
export async function storePasskey(kv: Deno.Kv, passkey: HolderPasskey): Promise<void> {
  const commit = kv.atomic();
  holderPasskeys.set(commit, passkey);
  await commit.commit();
}
