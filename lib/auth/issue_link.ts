import { readSlot, type SlidingWindow, transact } from "../kv/mod.ts";
import { fail, type Failure } from "../result.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { createToken } from "./magic_tokens.ts";
import { safeNext } from "./next.ts";
import { type Identity, upsertUser } from "./users.ts";

/** Whom a link signs in, and where. */
export interface LinkTarget {
  /** Normalised. */
  email: string;
  surface: SurfaceName;
  /** Where the person was going. Dropped unless it is a same-site path. */
  next?: unknown;
}

/** A link's token. It is stored nowhere. */
export interface IssuedLink {
  ok: true;
  token: string;
  user: Identity;
}

/**
 * Creates a token in one commit with the user's row and the count (spec 4.3, steps 2 to 5). A known
 * and an unknown address take the same steps.
 *
 * @param window the limit that counts this link; without one, nothing is counted
 */
export function issueLink(
  kv: Deno.Kv,
  clock: () => number,
  target: LinkTarget,
): Promise<IssuedLink>;
export function issueLink(
  kv: Deno.Kv,
  clock: () => number,
  target: LinkTarget,
  window: SlidingWindow,
): Promise<IssuedLink | Failure<"rate_limited">>;
export function issueLink(
  kv: Deno.Kv,
  clock: () => number,
  { email, surface, next }: LinkTarget,
  window?: SlidingWindow,
): Promise<IssuedLink | Failure<"rate_limited">> {
  return transact<IssuedLink | Failure<"rate_limited">>(async () => {
    const now = clock();
    const commit = kv.atomic();
    if (window !== undefined) {
      const slot = await readSlot(kv, window, now);
      if (slot.waitMs > 0) {
        return { result: fail("rate_limited", { retryAfterSeconds: secondsOf(slot.waitMs) }) };
      }
      slot.take(commit);
    }
    const user = await upsertUser(kv, commit, email, now);
    const about = { user_id: user.user_id, surface, next: safeNext(next) };
    const token = await createToken(kv, commit, about, now);
    return { result: { ok: true, token, user }, commit };
  });
}

/** Counts one call in a window of its own, for limits that are checked before a response. */
export function countCall(
  kv: Deno.Kv,
  clock: () => number,
  window: SlidingWindow,
): Promise<{ ok: true } | Failure<"rate_limited">> {
  return transact<{ ok: true } | Failure<"rate_limited">>(async () => {
    const slot = await readSlot(kv, window, clock());
    if (slot.waitMs > 0) {
      return { result: fail("rate_limited", { retryAfterSeconds: secondsOf(slot.waitMs) }) };
    }
    const commit = kv.atomic();
    slot.take(commit);
    return { result: { ok: true }, commit };
  });
}

const secondsOf = (ms: number) => Math.ceil(ms / 1000);
