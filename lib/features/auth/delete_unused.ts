import { attemptOnce } from "../../platform/kv/mod.ts";
import { magicTokens } from "./magic_tokens.ts";
import { uncountUser } from "./stats.ts";
import { emailKey, type User } from "./users.ts";

/**
 * Deletes an account in which nobody has ever signed in, unless there is a link to it or one is created at the
 * same time. Returns whether it did.
 */
export async function deleteUnused(kv: Deno.Kv, entry: Deno.KvEntry<User>): Promise<boolean> {
  const { id, email } = entry.value;
  const deleted = await attemptOnce(async () => {
    // Every new link writes this key, so it is read before the links.
    const known = await kv.get(emailKey(email));
    if ((await magicTokens.find(kv, "magic_tokens_by_user", [id])).length > 0) {
      return { result: false };
    }
    const commit = kv.atomic().check(entry, known).delete(entry.key).delete(known.key);
    uncountUser(commit);
    return { result: true, commit };
  });
  return deleted ?? false;
}
