/** The demands of a request on its holder, as errors of the response, and the reader who sent it. */
import { browserIdOf } from "../../platform/http/browser_cookie.ts";
import { type ClientContext, clientOf } from "../../platform/http/client_address.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Actor } from "../../platform/kv/mod.ts";
import type { OrganisationKey, Surface, SurfaceName } from "../../platform/surfaces/mod.ts";
import { sentHash } from "../chain/mod.ts";
import { type Reader, readerOf } from "./access_log/access_log.ts";
import { type Holder, type HolderSession, isRecent } from "./sessions/table.ts";
import type { LinkUse } from "./sign_in/mailed_link.ts";
import { NOT_IN_FORCE, type RecordEntry } from "./record/store.ts";

/** The part of `ctx.state` that identifies the holder. */
export interface HolderState {
  holder: HolderSession | null;
  actor: Actor;
  /** Reads `holder` again. */
  readHolder: () => Promise<void>;
  services: { clock: () => number };
}

/** The records that a request may concern, besides those in force. */
interface Allowed {
  /** Allows a correction that is not in force. It can be confirmed or withdrawn, nothing else. */
  waiting?: boolean;
}

/**
 * Returns the holder who sent a request, and demands the session for everything that the request does.
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
export function requireHolder(state: HolderState, { waiting = false }: Allowed = {}): Holder {
  return demand(state, (session) => {
    if (session.opened === null) throw signedOut();
    if (session.closed !== null) {
      throw new RequestError(403, "Your record is closed, because it will be deleted.", {
        code: "record_closed",
      });
    }
    if (session.waiting && !waiting) {
      throw new RequestError(403, NOT_IN_FORCE, { code: "not_in_force" });
    }
  });
}

/**
 * Returns the holder of a request who signed in within the last ten minutes, for sensitive actions
 * (docs/records.md).
 *
 * @throws {RequestError} as `requireHolder`, and 403 `sign_in_again` if the sign-in is too old
 */
export function requireRecent(state: HolderState, allowed?: Allowed): Holder {
  requireHolder(state, allowed);
  return requireRecentSession(state);
}

/**
 * Like {@link requireRecent}, but allows a closed record, which can be kept.
 *
 * @throws {RequestError} 401 without a session, 403 `sign_in_again` if the sign-in is too old
 */
export function requireRecentSession(state: HolderState): Holder {
  return demand(state, (session) => {
    if (!isRecent(session, state.services.clock())) {
      throw new RequestError(403, "For your safety, sign in again before you do this.", {
        code: "sign_in_again",
      });
    }
    return Date.parse(session.recent_until);
  });
}

/**
 * Returns the session of a request, which may have chosen no record yet, and demands it for everything that
 * the request does.
 *
 * @throws {RequestError} 401 without a session
 */
export function requireHolderSession(state: HolderState): HolderSession {
  demand(state, () => {}, { chosen: false });
  return state.holder!;
}

/**
 * Demands a session with something that it gives.
 *
 * @param check throws if the session does not give it, now or when it is asked again, and may return until
 * when it does
 */
function demand(
  state: HolderState,
  check: (session: HolderSession) => number | void,
  { chosen = true } = {},
): Holder {
  const { record, opened } = state.holder ?? {};
  // A correction that is withdrawn leads its sessions back to the record that it corrects.
  const records = [record, ...opened?.row.replaces ? [opened.row.replaces] : []];
  state.actor.demand({
    ask() {
      const { holder } = state;
      // A record that was chosen in the meantime is not the one that the request is about.
      if (holder === null || !records.includes(holder.record) || chosen && holder.record === null) {
        throw signedOut();
      }
      const until = check(holder) ?? Infinity;
      return { rows: [holder.row], until: Math.min(until, Date.parse(holder.expires_at)) };
    },
    read: state.readHolder,
  });
  return { record: record!, session: state.holder! };
}

const signedOut = () => new RequestError(401, "Sign in to your record first.");

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

/** Returns where a request came from, for the access log and security notices. */
export const readerOfContext = (ctx: ClientContext): Reader => readerOf(ctx.req, clientOf(ctx));

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

/** The members of a request's state that hold the records of a console. */
export interface ConsoleRecords {
  surface: Surface;
  services: {
    records: {
      readOf(organisation: OrganisationKey, hash: string): Promise<RecordEntry | null>;
    };
  };
}

/**
 * Reads a record of the console's organisation.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to the other organisation
 */
export async function readOwnRecord(
  { surface, services }: ConsoleRecords,
  given: string,
): Promise<RecordEntry> {
  const record = await services.records.readOf(surface.organisation, checkHash(given));
  if (record === null) throw new RequestError(404);
  return record;
}

/**
 * Returns the hash in a path, so that what belongs to a record can be read at the same time as the record.
 *
 * @throws {RequestError} 404 if it is not a hash
 */
export function checkHash(given: string): string {
  const hash = sentHash.safeParse(given);
  if (!hash.success) throw new RequestError(404);
  return hash.data;
}
