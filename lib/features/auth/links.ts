/** Issues sign-in links and turns a link that is opened into a session, each in one commit. */
import {
  createIds,
  type Ids,
  readSlot,
  type SlidingWindow,
  transact,
} from "../../platform/kv/mod.ts";
import { fail, type Failure, type RateLimited, rateLimited } from "../../base/result.ts";
import type { Surface, SurfaceName } from "../../platform/surfaces/mod.ts";
import { TOKEN_LIFETIME_MS } from "./link_terms.ts";
import { createToken, lastTokenId, signInTokens } from "./magic_tokens.ts";
import { safeNext } from "./redirects.ts";
import { createSession, type NewSession } from "./sessions.ts";
import { noteUsedLink } from "./used_links.ts";
import { type Identity, lastUserId, touchLogin, upsertUser, users } from "./users.ts";

/** The person that a link signs in, and the surface. */
export interface LinkTarget {
  /** The normalised address. */
  email: string;
  surface: SurfaceName;
  /** The page that the person was going to. Dropped unless it is a same-site path. */
  next?: unknown;
  /** True if a passkey that is added after the sign-in replaces all others, see the session's column. */
  replacesPasskeys?: boolean;
}

/** A new link. Its token is not stored. */
export interface IssuedLink {
  ok: true;
  token: string;
  user: Identity;
}

/** Where a link was opened, as far as that is recorded. */
export interface OpenedBy extends Pick<NewSession, "device"> {
  /** The browser, see `clientKey`. */
  client?: string;
}

/** The session that a link has started, and where to go next. */
export interface SignIn {
  sessionId: string;
  next: string | null;
  user: Identity;
}

/**
 * Adds the mail with a link to the commit that creates the link. Called again with a new commit if
 * there was a write conflict. Returns false if there must be no link.
 */
export type AddLinkMail = (
  commit: Deno.AtomicOperation,
  link: IssuedLink & { expiresAt: number },
) => Promise<boolean>;

/** Where links are stored. */
export interface LinkStore {
  kv: Deno.Kv;
  clock: () => number;
  /** The numbers of new users and tokens. */
  ids: { users: Ids; tokens: Ids };
}

/** @param block how many numbers are reserved together, see `createIds` */
export const createLinkIds = (kv: Deno.Kv, block?: number): LinkStore["ids"] => ({
  users: createIds(kv, lastUserId.key(), block),
  tokens: createIds(kv, lastTokenId.key(), block),
});

/**
 * Creates a token in one commit with the user's row, the count and the mail (spec 4.3, steps 2 to
 * 6). The steps are the same for known and unknown addresses.
 *
 * @param window the limit that counts this link; without one, nothing is counted
 */
export function issueLink(store: LinkStore, target: LinkTarget): Promise<IssuedLink>;
export function issueLink(
  store: LinkStore,
  target: LinkTarget,
  window: SlidingWindow,
  addMail?: AddLinkMail,
): Promise<IssuedLink | RateLimited | Failure<"used">>;
export function issueLink(
  { kv, clock, ids }: LinkStore,
  { email, surface, next, replacesPasskeys }: LinkTarget,
  window?: SlidingWindow,
  addMail?: AddLinkMail,
): Promise<IssuedLink | RateLimited | Failure<"used">> {
  return transact<IssuedLink | RateLimited | Failure<"used">>(async () => {
    const now = clock();
    const commit = kv.atomic();
    if (window !== undefined) {
      const slot = await readSlot(kv, window, now);
      if (slot.waitMs > 0) return { result: rateLimited(slot.waitMs) };
      slot.take(commit);
    }
    const user = await upsertUser(kv, ids.users, commit, email, now);
    const replaces = replacesPasskeys ? { replaces_passkeys: true as const } : {};
    const about = { user_id: user.user_id, surface, next: safeNext(next), ...replaces };
    const token = await createToken(ids.tokens, commit, about, now);
    const issued = { ok: true, token, user } as const;
    const expiresAt = now + TOKEN_LIFETIME_MS;
    if (await addMail?.(commit, { ...issued, expiresAt }) === false) {
      return { result: fail("used") };
    }
    return { result: issued, commit };
  });
}

/** Adds to the commit of a sign-in. Called again with a new commit if there was a write conflict. */
export type AddToSignIn = (
  commit: Deno.AtomicOperation,
  signIn: { email: string; surface: SurfaceName },
  now: number,
) => Promise<void>;

/**
 * Marks a token as used, records the login and creates a session, all in one commit (spec 4.3).
 * Repeated clicks on a link create only one session, and a crash cannot use up a link without
 * creating its session.
 *
 * @returns null if the token is unknown, used, expired or for another surface
 */
export async function verifyLink(
  kv: Deno.Kv,
  clock: () => number,
  token: string,
  { surface, device, client }: OpenedBy & Pick<NewSession, "surface">,
  addTo?: AddToSignIn,
): Promise<SignIn | null> {
  return await transact<SignIn | null>(async () => {
    const now = clock();
    const found = await signInTokens.find(kv, token, now);
    if (found.state !== "open" || found.entry.value.surface !== surface) return { result: null };
    const { user_id, next, replaces_passkeys } = found.entry.value;
    const user = await users.get(kv, user_id);
    if (user.versionstamp === null) return { result: null };
    const identity = { user_id, email: user.value.email };
    const commit = kv.atomic();
    signInTokens.use(commit, found.entry, now);
    touchLogin(commit, user, now);
    const sessionId = createSession(
      commit,
      { user: identity, surface, device, replaces_passkeys },
      now,
    );
    if (client !== undefined) noteUsedLink(commit, { surface, client, sessionId }, now);
    await addTo?.(commit, { email: identity.email, surface }, now);
    return { result: { sessionId, next, user: identity }, commit };
  });
}

/** Returns the URL of a link. Its base is configured and never taken from a request's `Host`. */
export const linkOn = ({ baseUrl }: Surface, token: string): string =>
  `${baseUrl}/auth/verify?token=${token}`;
