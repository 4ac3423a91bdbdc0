import { transact } from "../../../platform/kv/mod.ts";
import {
  createSigner,
  generatePrivateJwk,
  LOG_KEY,
  type NoteSigner,
  type PrivateJwk,
} from "../../../../packages/proof/mod.ts";
import { logGeneratedKey } from "./tables.ts";

/**
 * Opens the keys of a log. Both sign while a key is replaced, because a policy may know only one of them.
 *
 * @param configured if there are none (in development), a key is generated once and stored
 */
export async function openLogKeys(
  kv: Deno.Kv,
  configured: readonly PrivateJwk[],
  origin: string,
): Promise<NoteSigner[]> {
  const keys = configured.length > 0 ? configured : [await generatedKey(kv)];
  return await Promise.all(keys.map((key) => createSigner(origin, LOG_KEY, key)));
}

const generatedKey = (kv: Deno.Kv): Promise<PrivateJwk> =>
  transact(async () => {
    const entry = await logGeneratedKey.get(kv);
    if (entry.value !== null) return { result: entry.value };
    const result = await generatePrivateJwk();
    return { result, commit: kv.atomic().check(entry).set(entry.key, result) };
  });
