/** The accounts: their tables, finding one by id or address, creating one, and the list for administrators. */
import type { RowPosition } from "../../platform/listing/pages.ts";
import { z } from "zod";
import { DAY_MS, inDays } from "../../base/time.ts";
import { ALWAYS, defineTable, type Ids, untilUsed, WITH_ACCOUNT } from "../../platform/kv/mod.ts";
import { countSignUp } from "./stats.ts";

/** How long an account is kept if nobody signs in to it. */
export const UNUSED_ACCOUNT_MS = 30 * DAY_MS;

const UNUSED = inDays(UNUSED_ACCOUNT_MS);

/** A row of `users` (spec 2.6). */
const user = z.strictObject({
  id: z.int(),
  /** The normalised address, which is unique. */
  email: z.string(),
  /** ISO 8601 in UTC, like `last_login`. */
  created_at: z.iso.datetime(),
  last_login: z.iso.datetime().nullable(),
  source: z.literal("signup"),
});

export type User = z.infer<typeof user>;

/** The user of a session. The address is normalised. */
export interface Identity {
  user_id: number;
  email: string;
}

const ACCOUNT = {
  section: "sign_in",
  label: "Your account",
  text: "Your email address, an account number, when the account was created and when you " +
    "last signed in. The account is created when a sign-in link is first requested. We keep " +
    "it until you ask us to delete it. If nobody signs in to it, we delete it after " +
    `${UNUSED}.`,
} as const;

/** The accounts of people who have asked for a sign-in link. */
export const users = defineTable({
  prefix: "users",
  value: user,
  key: ["id"],
  otherIndexes: ["users_by_email"],
  owner: { user: "id" },
  lifetime: {
    ...WITH_ACCOUNT,
    kept: `${WITH_ACCOUNT.kept}; ${UNUSED} if nobody signs in`,
  },
  // Anybody can have an account created for any address by asking for a link.
  due: {
    when: ({ last_login, created_at }, now) =>
      last_login === null && now >= Date.parse(created_at) + UNUSED_ACCOUNT_MS,
    nightly: true,
  },
  per: "address that asked for a sign-in link",
  privacy: ACCOUNT,
});

/** The deletions of accounts that have begun. */
export const userDeletions = defineTable({
  prefix: "user_deletions",
  value: z.strictObject({ id: z.int() }),
  key: ["email"],
  owner: "user",
  lifetime: untilUsed(
    "until everything of the account is deleted, normally at once",
    "account-deletions",
  ),
  per: "deletion of an account",
  privacy: { section: "sign_in", label: ACCOUNT.label },
});

export const lastUserId = defineTable({
  prefix: "users_last_id",
  value: z.int(),
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
  privacy: ACCOUNT,
});

/** The key of the id of an address. It is unique, unlike the keys of other indexes. */
export const emailKey = (email: string): Deno.KvKey => ["users_by_email", email];

/** Returns the outbox label of a user's mails. */
export const aboutUser = (id: number): string => `user/${id}`;

/**
 * Returns the user of an address, or adds a new one to a commit. The commit fails if the user was
 * created or deleted in the meantime, so an address keeps its id. It writes the key of the address in
 * any case, so that a deletion at the same time fails.
 *
 * @param ids the numbers of new users
 * @param email normalised
 */
export async function upsertUser(
  kv: Deno.Kv,
  ids: Ids,
  commit: Deno.AtomicOperation,
  email: string,
  now: number,
): Promise<Identity> {
  const known = await kv.get<number>(emailKey(email));
  commit.check(known);
  if (known.value !== null) {
    commit.set(known.key, known.value);
    return { user_id: known.value, email };
  }
  const id = await ids.next();
  const created_at = new Date(now).toISOString();
  users.set(commit, { id, email, created_at, last_login: null, source: "signup" });
  commit.set(emailKey(email), id);
  countSignUp(commit, now);
  return { user_id: id, email };
}

/** Sets a user's last login in a commit, which fails if the row has changed in the meantime. */
export function touchLogin(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<User>,
  now: number,
): void {
  users.replace(commit, entry, { ...entry.value, last_login: new Date(now).toISOString() });
}

export async function getUser(kv: Deno.Kv, id: number): Promise<User | null> {
  return (await users.get(kv, id)).value;
}

export const getUserId = async (kv: Deno.Kv, email: string): Promise<number | null> =>
  (await kv.get<number>(emailKey(email))).value;

export async function getUserByEmail(kv: Deno.Kv, email: string): Promise<User | null> {
  const id = await getUserId(kv, email);
  return id === null ? null : await getUser(kv, id);
}

/** A page of users, the newest first. */
export interface UserList {
  users: User[];
  /** The user after whom older ones follow; null on the last page. */
  next: RowPosition | null;
}

const PAGE_SIZE = 50;

/**
 * Lists users, the newest first.
 *
 * @param after the last user of the page before; null for the first page. Ids grow with the time of the sign-up
 */
export async function listUsers(kv: Deno.Kv, after: RowPosition | null): Promise<UserList> {
  const prefix = [users.prefix];
  const selector = after === null ? { prefix } : { prefix, end: users.key(Number(after.id)) };
  const entries = await Array.fromAsync(
    kv.list<User>(selector, { limit: PAGE_SIZE + 1, reverse: true }),
  );
  const page = entries.slice(0, PAGE_SIZE).map(({ value }) => value);
  const last = page.at(-1);
  const more = entries.length > PAGE_SIZE && last !== undefined;
  return { users: page, next: more ? { at: last.created_at, id: String(last.id) } : null };
}
