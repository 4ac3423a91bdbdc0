/** The deletion of a user's account with all its data, also after an interruption. */
import { forgetDeliveries, type Job, sweepRows } from "../../platform/jobs/mod.ts";
import { type TableDescription, transact } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { forgetOperator } from "../operators/mod.ts";
import { uncountUser } from "./stats.ts";
import { deleteRequestsOf } from "./stored_requests.ts";
import { aboutUser, emailKey, getUserByEmail, userDeletions, users } from "./users.ts";

export interface DeleteUserOptions {
  kv: Deno.Kv;
  secrets: Secrets;
  tables: readonly TableDescription[];
}

/**
 * Deletes a user with the rows of all features that belong to them, their requests for links, unsent
 * mails, sessions and access to consoles. Ids are never reused: a later sign-up with the same address
 * creates a new user.
 *
 * The user is deleted first, in one commit with the rows that have the user's id as their key, so that
 * no link can be created in the meantime. That commit also stores the id, so that the job, or another call,
 * completes an interrupted deletion. Remaining links are invalid without their user.
 *
 * @param email normalised
 * @param addTo adds to the commit that deletes the user, which may be repeated
 * @returns false if there was nothing to delete
 */
export async function deleteUser(
  options: DeleteUserOptions,
  email: string,
  addTo?: (commit: Deno.AtomicOperation, id: number) => void,
): Promise<boolean> {
  const { kv } = options;
  const { value: begun } = await userDeletions.get(kv, email);
  // Otherwise, a later user of the address would take its place, and its sessions would remain.
  if (begun !== null) await deleteRest(options, email, begun.id);
  const id = await transact(async () => {
    const user = await getUserByEmail(kv, email);
    if (user === null) return { result: null };
    const [row, index] = await kv.getMany([users.key(user.id), emailKey(email)]);
    // Another deletion may have been faster. A check would accept rows that are missing.
    if (row.versionstamp === null || index.versionstamp === null) return { result: null };
    const commit = kv.atomic().check(row, index).delete(index.key);
    for (const { prefix } of ownedBy(options)) commit.delete([prefix, user.id]); // the user, and single rows
    userDeletions.put(commit, [email], { id: user.id });
    uncountUser(commit);
    addTo?.(commit, user.id);
    return { result: user.id, commit };
  });
  await deleteRest(options, email, id);
  return id !== null || begun !== null;
}

const ownedBy = ({ tables }: DeleteUserOptions) => tables.filter(({ owner }) => owner === "user");

/** Deletes what is left of a user. */
async function deleteRest(
  options: DeleteUserOptions,
  email: string,
  id: number | null,
): Promise<void> {
  const { kv, secrets } = options;
  if (id !== null) {
    for (const table of ownedBy(options)) await table.deleteOf(kv, id);
    await forgetDeliveries(kv, aboutUser(id));
  }
  await deleteRequestsOf({ kv, secrets }, email);
  await forgetOperator(kv, email);
  await transact(async () => {
    const entry = await userDeletions.get(kv, email);
    if (entry.value?.id !== id) return { result: undefined };
    return { result: undefined, commit: kv.atomic().check(entry).delete(entry.key) };
  });
}

/** Creates the job that completes deletions that were interrupted. */
export const createUserDeletionJob = (options: DeleteUserOptions): Job => ({
  name: "account-deletions",
  title: "Completing deletions of accounts",
  everyMs: MINUTE_MS,
  maxMs: MINUTE_MS,
  async run(context) {
    const { kv } = options;
    const completed = await sweepRows<{ id: number }>(
      kv,
      userDeletions.prefix,
      context,
      async ({ value }, email) => {
        await deleteRest(options, email, value.id);
        return true;
      },
    );
    return `${completed} completed`;
  },
});
