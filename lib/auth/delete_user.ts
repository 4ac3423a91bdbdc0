import { transact, whenUnlocked } from "../kv/mod.ts";
import { deleteTokensOf } from "./magic_tokens.ts";
import { deleteSessionsOf } from "./sessions.ts";
import { uncountUser } from "./stats.ts";
import { emailKey, getUserByEmail, userKey } from "./users.ts";

/**
 * Deletes an account and all that belongs to it: the user, the links, the sessions. Its id is never
 * given again; who signs up later with the same address is somebody new.
 *
 * The account goes first, in one commit, so that no new link can be made for it meanwhile. Where
 * that was cut off, doing it again ends the sessions that were left; links are worth nothing then.
 *
 * @param email normalised
 * @returns false where nothing was left to delete
 */
export async function deleteUser(kv: Deno.Kv, email: string): Promise<boolean> {
  const id = await transact(async () => {
    const user = await getUserByEmail(kv, email);
    if (user === null) return { result: null };
    const [row, index] = await kv.getMany([userKey(user.id), emailKey(email)]);
    const commit = kv.atomic().check(row, index).delete(row.key).delete(index.key);
    uncountUser(commit);
    return { result: user.id, commit };
  });
  if (id !== null) await whenUnlocked(() => deleteTokensOf(kv, id));
  const sessions = await deleteSessionsOf(kv, email);
  return id !== null || sessions > 0;
}
