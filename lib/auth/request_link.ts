import { readSlot, transact } from "../kv/mod.ts";
import type { SurfaceName } from "../surfaces/mod.ts";
import { normaliseEmail } from "./email.ts";
import { createToken } from "./magic_tokens.ts";
import { safeNext } from "./next.ts";
import { addressWindow, clientWindow } from "./rate_limit.ts";
import { type Identity, upsertUser } from "./users.ts";

/** What somebody asks for who wants to sign in. */
export interface LinkRequest {
  /** As it was typed. */
  email: string;
  /** The IP address that the request came from. */
  clientAddress: string;
  /** Where the link will lead. */
  surface: SurfaceName;
  /** Where the person was going; dropped where it is no same-site path. */
  next?: unknown;
}

/** A token to mail, or why there is none. */
export type LinkResult =
  | { ok: true; token: string; user: Identity }
  | { ok: false; error: "invalid_request" }
  | { ok: false; error: "rate_limited"; retryAfterSeconds: number };

/**
 * Steps 1 to 5 of `POST /api/auth/request` (spec 4.3) in one commit: both limits, the user and the
 * token, all or nothing. A known and an unknown address take the same way in the same time.
 *
 * @param clientLimit requests an hour from one client address; 0 for no limit
 */
export async function requestLink(
  kv: Deno.Kv,
  clock: () => number,
  clientLimit: number,
  { email: typed, clientAddress, surface, next }: LinkRequest,
): Promise<LinkResult> {
  const email = normaliseEmail(typed);
  if (email === null) return { ok: false, error: "invalid_request" };
  const windows = [addressWindow(email)];
  if (clientLimit > 0) windows.push(clientWindow(clientAddress, clientLimit));

  return await transact<LinkResult>(async () => {
    const now = clock();
    const slots = await Promise.all(windows.map((window) => readSlot(kv, window, now)));
    const waitMs = Math.max(...slots.map((slot) => slot.waitMs));
    if (waitMs > 0) {
      const retryAfterSeconds = Math.ceil(waitMs / 1000);
      return { result: { ok: false, error: "rate_limited", retryAfterSeconds } };
    }
    const commit = kv.atomic();
    for (const slot of slots) slot.take(commit);
    const user = await upsertUser(kv, commit, email, now);
    const about = { user_id: user.user_id, surface, next: safeNext(next) };
    const token = await createToken(kv, commit, about, now);
    return { result: { ok: true, token, user }, commit };
  });
}
