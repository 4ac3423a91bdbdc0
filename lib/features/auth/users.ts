import { countSignUp } from "./stats.ts";

/** A row of `users` (spec 2.6). Times are ISO 8601 in UTC. */
export interface User {
  id: number;
  /** Normalised and unique. */
  email: string;
  created_at: string;
  last_login: string | null;
  source: "signup";
}

export interface Identity {
  user_id: number;
  email: string;
}

export const userKey = (id: number): Deno.KvKey => ["users", id];
export const emailKey = (email: string): Deno.KvKey => ["users_by_email", email];
const LAST_ID: Deno.KvKey = ["users_last_id"];

/** Returns the outbox label of a user's mails. */
export const aboutUser = (id: number): string => `user/${id}`;

/**
 * Returns the user of an address, or adds a new one to a commit. The commit fails if the user was
 * created or deleted in the meantime, so an address keeps its id and no id is assigned twice.
 *
 * @param email normalised
 */
export async function upsertUser(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  email: string,
  now: number,
): Promise<Identity> {
  const [known, lastId] = await kv.getMany<[number, number]>([emailKey(email), LAST_ID]);
  commit.check(known);
  if (known.value !== null) return { user_id: known.value, email };
  const id = (lastId.value ?? 0) + 1;
  const user: User = {
    id,
    email,
    created_at: new Date(now).toISOString(),
    last_login: null,
    source: "signup",
  };
  commit.check(lastId)
    .set(userKey(id), user)
    .set(emailKey(email), id)
    .set(LAST_ID, id);
  countSignUp(commit, now);
  return { user_id: id, email };
}

/** Sets a user's last login in a commit, which fails if the row has changed in the meantime. */
export function touchLogin(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<User>,
  now: number,
): void {
  commit.check(entry).set(entry.key, { ...entry.value, last_login: new Date(now).toISOString() });
}

export async function getUser(kv: Deno.Kv, id: number): Promise<User | null> {
  return (await kv.get<User>(userKey(id))).value;
}

export async function getUserByEmail(kv: Deno.Kv, email: string): Promise<User | null> {
  const { value: id } = await kv.get<number>(emailKey(email));
  return id === null ? null : await getUser(kv, id);
}
