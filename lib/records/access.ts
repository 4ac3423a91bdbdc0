import { RequestError } from "../http/errors.ts";
import type { HolderSession } from "./sessions.ts";

/** The part of `ctx.state` that identifies the holder. */
interface HolderState {
  holder: HolderSession | null;
  services: { clock: () => number };
}

/** The holder of a request: the open record and the session. */
export interface Holder {
  record: string;
  session: HolderSession;
}

/**
 * Returns the holder who sent a request.
 *
 * @throws {RequestError} 401 without a session, or if the holder has not chosen a record yet
 *
 * @example
 * ```ts
 * const { record } = requireHolder(ctx.state);
 * ```
 */
export function requireHolder({ holder }: Pick<HolderState, "holder">): Holder {
  if (holder === null || holder.record === null) {
    throw new RequestError(401, "Sign in to your record first.");
  }
  return { record: holder.record, session: holder };
}

/**
 * Returns the holder of a request who signed in within the last ten minutes, for sensitive actions
 * (design, section 11).
 *
 * @throws {RequestError} 401 without a session, 403 `sign_in_again` if the sign-in is too old
 */
export function requireRecent(state: HolderState): Holder {
  const holder = requireHolder(state);
  if (!isRecent(holder.session, state.services.clock())) {
    throw new RequestError(403, "For your safety, sign in again before you do this.", {
      code: "sign_in_again",
    });
  }
  return holder;
}

/** Returns whether a sign-in is recent enough for sensitive actions. */
export const isRecent = ({ recent_until }: Pick<HolderSession, "recent_until">, now: number) =>
  now < Date.parse(recent_until);
