import { type User, users } from "./users.ts";

/** A page of users, the newest first. */
export interface UserList {
  users: User[];
  /** The id after which older users follow; null on the last page. */
  next: number | null;
}

export const USER_PAGE_SIZE = 50;

/**
 * Lists users, the newest first.
 *
 * @param after the id of the last user of the page before; null for the first page
 */
export async function listUsers(kv: Deno.Kv, after: number | null): Promise<UserList> {
  const prefix = ["users"];
  const selector = after === null ? { prefix } : { prefix, end: users.key(after) };
  const entries = await Array.fromAsync(
    kv.list<User>(selector, { limit: USER_PAGE_SIZE + 1, reverse: true }),
  );
  const page = entries.slice(0, USER_PAGE_SIZE).map(({ value }) => value);
  return { users: page, next: entries.length > USER_PAGE_SIZE ? page.at(-1)!.id : null };
}
