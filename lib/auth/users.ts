import { countSignUp } from "./stats.ts";

/** A row of `users` (spec 2.6). Times are ISO 8601 in UTC. */
export interface User {
  /** From 1, counting up. */
  id: number;
  /** As `normaliseEmail` writes it; unique. */
  email: string;
  created_at: string;
  last_login: string | null;
  source: "signup";
}

/** Who somebody is, as a session and every page knows it. */
export interface Identity {
  user_id: number;
  email: string;
}

/** The key of a user's row. */
export const userKey = (id: number): Deno.KvKey => ["users", id];
/** The key of an address's id. */
export const emailKey = (email: string): Deno.KvKey => ["users_by_email", email];
const LAST_ID: Deno.KvKey = ["users_last_id"];

/**
 * Finds the user of an address, or adds a new one to a commit. The commit fails where the user was
 * made or deleted meanwhile; so an address has one id for ever, and none is given twice.
 *
 * Known or not, the same is read: the answer's time tells nobody which it was.
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

/** Adds to a commit that a user has signed in just now. It fails where the row has changed. */
export function touchLogin(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<User>,
  now: number,
): void {
  commit.check(entry).set(entry.key, { ...entry.value, last_login: new Date(now).toISOString() });
}

/** Reads a user's row, or null. */
export async function getUser(kv: Deno.Kv, id: number): Promise<User | null> {
  return (await kv.get<User>(userKey(id))).value;
}

/**
 * Reads the row of an address, or null.
 *
 * @param email normalised
 */
export async function getUserByEmail(kv: Deno.Kv, email: string): Promise<User | null> {
  const { value: id } = await kv.get<number>(emailKey(email));
  return id === null ? null : await getUser(kv, id);
}
