import { transact } from "../../platform/kv/mod.ts";
import { forgetNetworks } from "./key_networks.ts";
import { type ApiKeyRow, apiKeys, deleteKey, isOld } from "./key_rows.ts";

/** Deletes a key that ended long ago, with its networks. Returns false if it has not ended after all. */
export async function deleteOldKey(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { value: { hash, issuer, id } }: Deno.KvEntry<ApiKeyRow>,
): Promise<boolean> {
  const isDeleted = await transact(async () => {
    const entry = await apiKeys.get(kv, hash);
    if (entry.versionstamp === null || !isOld(entry.value, clock())) return { result: false };
    const commit = kv.atomic().check(entry);
    deleteKey(commit, entry.value);
    return { result: true, commit };
  });
  if (isDeleted) await forgetNetworks(kv, issuer, id);
  return isDeleted;
}
