import { transact } from "../kv/mod.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { magicTokens } from "./magic_tokens.ts";
import { createSession } from "./sessions.ts";
import { type Identity, touchLogin, type User, userKey } from "./users.ts";

/** Somebody has signed in. */
export interface SignIn {
  /** The uuid for the cookie. */
  sessionId: string;
  /** The same-site path that the person was going to, if any. */
  next: string | null;
  user: Identity;
}

/**
 * The steps of `GET /api/auth/verify` (spec 4.3) in one commit: the token turns used, the login is
 * noted, the session begins. So many clicks make one session, and no crash leaves a token used
 * without the session that it was for.
 *
 * @returns null where the token is not good (any more), whatever the reason
 */
export async function verifyLink(
  kv: Deno.Kv,
  clock: () => number,
  token: string,
  surface: SurfaceName,
): Promise<SignIn | null> {
  return await transact<SignIn | null>(async () => {
    const now = clock();
    const found = await magicTokens.find(kv, token, now);
    if (found.state !== "open" || found.entry.value.surface !== surface) return { result: null };
    const { user_id, next } = found.entry.value;
    const user = await kv.get<User>(userKey(user_id));
    if (user.versionstamp === null) return { result: null };
    const identity = { user_id, email: user.value.email };
    const commit = kv.atomic();
    magicTokens.use(commit, found.entry, now);
    touchLogin(commit, user, now);
    const sessionId = createSession(commit, identity, surface, now);
    return { result: { sessionId, next, user: identity }, commit };
  });
}
