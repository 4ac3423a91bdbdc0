import { browserIdOf } from "../../platform/http/browser_cookie.ts";
import { type ClientContext, clientOf } from "../../platform/http/client_address.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { type Reader, readerOf } from "./access_log.ts";
import { type HolderSession, holderSessions } from "./sessions.ts";
import type { LinkUse } from "./sign_in.ts";
import { NOT_IN_FORCE, type RecordEntry } from "./store.ts";

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

/** The records that a request may concern, besides those in force. */
interface Allowed {
  /** Allows a correction that is not in force. It can be confirmed or withdrawn, nothing else. */
  waiting?: boolean;
}

/**
 * Returns the holder who sent a request.
 *
 * @throws {RequestError} 401 without a session, if the holder has not chosen a record yet, or if the
 * record no longer exists; 403 `record_closed` if the record will be deleted, or `not_in_force` if it is a
 * correction that is not in force and that `allowed` does not include
 *
 * @example
 * ```ts
 * const { record } = requireHolder(ctx.state);
 * ```
 */
export function requireHolder(
  state: { holder: HolderSession | null },
  { waiting = false }: Allowed = {},
): Holder {
  const holder = requireSession(state);
  if (holder.session.opened === null) throw signedOut();
  if (holder.session.closed !== null) {
    throw new RequestError(403, "Your record is closed, because it will be deleted.", {
      code: "record_closed",
    });
  }
  if (holder.session.waiting && !waiting) {
    throw new RequestError(403, NOT_IN_FORCE, { code: "not_in_force" });
  }
  return holder;
}

/**
 * Returns the holder of a request who signed in within the last ten minutes, for sensitive actions
 * (design, section 11).
 *
 * @throws {RequestError} as `requireHolder`, and 403 `sign_in_again` if the sign-in is too old
 */
export function requireRecent(state: HolderState, allowed?: Allowed): Holder {
  requireHolder(state, allowed);
  return requireRecentSession(state);
}

/** Like {@link requireRecent}, but allows a closed record, which can be kept. */
export function requireRecentSession(state: HolderState): Holder {
  const holder = requireSession(state);
  if (!isRecent(holder.session, state.services.clock())) {
    throw new RequestError(403, "For your safety, sign in again before you do this.", {
      code: "sign_in_again",
    });
  }
  return holder;
}

function requireSession({ holder }: { holder: HolderSession | null }): Holder {
  if (holder === null || holder.record === null) {
    throw signedOut();
  }
  return { record: holder.record, session: holder };
}

const signedOut = () => new RequestError(401, "Sign in to your record first.");

/**
 * Adds to the commit of a holder's action that the session still exists. A request may wait for its
 * body after its session was found, and somebody may have ended the session in the meantime: what a
 * thief has begun must not take effect after the holder has signed out everywhere.
 *
 * @param session the id of the session; undefined for an action without one
 * @throws {RequestError} 401 if the session has ended
 */
export async function checkSession(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  session: string | undefined,
): Promise<void> {
  if (session !== undefined) commit.check(await requireLiveSession(kv, session));
}

/**
 * Reads a session by its id as an entry that a commit can check.
 *
 * @throws {RequestError} 401 if the session has ended
 */
export async function requireLiveSession(
  kv: Deno.Kv,
  id: string,
): Promise<Deno.KvEntryMaybe<unknown>> {
  const entry = await holderSessions.get(kv, id);
  if (entry.versionstamp === null) throw signedOut();
  return entry;
}

/**
 * Returns the record that the holder of a request has open, as it was when the session was read, and
 * whether the holder signed in recently.
 *
 * @throws {RequestError} as `requireHolder`, and 401 if the record no longer exists
 */
export function requireOpenRecord(
  state: HolderState,
  allowed?: Allowed,
): { record: RecordEntry; recent: boolean } {
  const { session } = requireHolder(state, allowed);
  if (session.opened === null) throw signedOut();
  return { record: session.opened, recent: isRecent(session, state.services.clock()) };
}

/** Returns whether a sign-in is recent enough for sensitive actions. */
export const isRecent = ({ recent_until }: { recent_until: string }, now: number) =>
  now < Date.parse(recent_until);

/** Returns where a request came from, for the access log and security notices. */
export const readerOfContext = (ctx: ClientContext): Reader => readerOf(ctx.req, clientOf(ctx));

/** Returns where a holder's request came from, and its session, which the action checks. */
export const holderReaderOf = (
  ctx: ClientContext & { state: { holder: HolderSession | null } },
): Reader => ({
  ...readerOfContext(ctx),
  session: ctx.state.holder?.id,
});

/** Returns who opens a mailed link, and where. */
export const linkUseOf = (
  ctx: ClientContext & {
    state: { surface: { name: SurfaceName }; holder: HolderSession | null };
  },
): LinkUse => ({
  surface: ctx.state.surface.name,
  browser: browserIdOf(ctx.req),
  reader: readerOfContext(ctx),
  previous: ctx.state.holder?.id ?? null,
});
