/**
 * Sign-in figures for the consoles (spec 4.2). Times are ISO 8601 in UTC; null if there is none
 * yet.
 */
export interface AuthStats {
  users: number;
  last_sign_up: string | null;
  /** When a session was last written or deleted. */
  sessions_last_write: string | null;
}

const key = (name: keyof AuthStats): Deno.KvKey => ["stats", name];

/** Counts a new user in the commit that creates the user, so that the count is always exact. */
export function countSignUp(commit: Deno.AtomicOperation, now: number): void {
  commit.sum(key("users"), 1n).set(key("last_sign_up"), new Date(now).toISOString());
}

/** Removes a deleted user from the count. Sums cannot subtract, but they wrap around at 64 bits. */
export function uncountUser(commit: Deno.AtomicOperation): void {
  commit.sum(key("users"), 2n ** 64n - 1n);
}

export function recordSessionWrite(commit: Deno.AtomicOperation, now: number): void {
  commit.set(key("sessions_last_write"), new Date(now).toISOString());
}

export async function readStats(kv: Deno.Kv): Promise<AuthStats> {
  const [users, lastSignUp, lastWrite] = await kv.getMany<[Deno.KvU64, string, string]>([
    key("users"),
    key("last_sign_up"),
    key("sessions_last_write"),
  ]);
  return {
    users: Number(users.value?.value ?? 0n),
    last_sign_up: lastSignUp.value,
    sessions_last_write: lastWrite.value,
  };
}
