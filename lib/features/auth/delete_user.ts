import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { deleteTokensOf } from "./magic_tokens.ts";
import { deleteSessionsOf } from "./sessions.ts";
import { uncountUser } from "./stats.ts";
import { userDataKey } from "./user_data.ts";
import { deleteRequestsOf } from "./stored_requests.ts";
import { aboutUser, emailKey, getUserByEmail, userKey } from "./users.ts";

/**
 * Deletes a user with everything they saved, their links, their requests for
 * links, unsent mails and sessions. Ids are never reused: a later
 * sign-up with the same address creates a new user.
 *
 * The user is deleted first, in one commit, so that no link can be created for it in the meantime.
 * If the deletion is interrupted, running it again ends the remaining sessions. Remaining links are
 * invalid without their user.
 *
 * @param email normalised
 * @param addTo adds to the commit that deletes the user, which may be repeated
 * @returns false if there was nothing to delete
 */
export async function deleteUser(
  { kv, secrets }: { kv: Deno.Kv; secrets: Pick<Secrets, "signatures"> },
  email: string,
  addTo?: (commit: Deno.AtomicOperation, id: number) => void,
): Promise<boolean> {
  const id = await transact(async () => {
    const user = await getUserByEmail(kv, email);
    if (user === null) return { result: null };
    const [row, index] = await kv.getMany([userKey(user.id), emailKey(email)]);
    // Another deletion may have been faster. A check would accept rows that are missing.
    if (row.versionstamp === null || index.versionstamp === null) return { result: null };
    const commit = kv.atomic().check(row, index).delete(row.key).delete(index.key)
      .delete(userDataKey(user.id));
    uncountUser(commit);
    addTo?.(commit, user.id);
    return { result: user.id, commit };
  });
  if (id !== null) {
    await deleteTokensOf(kv, id);
    await forgetDeliveries(kv, aboutUser(id));
  }
  await deleteRequestsOf({ kv, secrets }, email);
  const sessions = await deleteSessionsOf(kv, email);
  return id !== null || sessions > 0;
}
