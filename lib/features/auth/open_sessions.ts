/** Lists a person's sessions on some surfaces, and ends some or all of their sessions on one surface. */
import type { Device } from "../../platform/http/device.ts";
import { isLive } from "../../platform/kv/mod.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { endSession, sessions } from "./sessions.ts";
import { readSessionUses } from "./session_uses.ts";
import { recordSessionWrite } from "./stats.ts";

/** A session that has not ended, for the person whose it is. */
export interface OpenSession {
  /** SHA-256 of the cookie's value. */
  id: string;
  /** ISO 8601 in UTC, like `used_at`. */
  created_at: string;
  /** The hour in which it was last used; null if that was not recorded yet. */
  used_at: string | null;
  /** Null for a session of an earlier build that was not used since. */
  device: Device | null;
}

const readRows = async (kv: Deno.Kv, userId: number, surfaces: readonly SurfaceName[]) =>
  (await sessions.find(kv, "sessions_by_user", [userId])).filter(({ value: { surface } }) =>
    surface !== undefined && surfaces.includes(surface)
  );

/** Returns the sessions of a user on some surfaces, the last used one first. */
export async function listSessions(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  userId: number,
  surfaces: readonly SurfaceName[],
): Promise<OpenSession[]> {
  const now = clock();
  const [rows, uses] = await Promise.all([
    readRows(kv, userId, surfaces),
    readSessionUses(kv, userId),
  ]);
  return rows.filter(({ value }) => isLive(value, now))
    .map(({ key, value: { created_at } }) => {
      const id = String(key[1]);
      const { used_at = null, device = null } = uses.get(id) ?? {};
      return { id, created_at, used_at, device };
    })
    .sort((a, b) => lastUse(a) < lastUse(b) ? 1 : -1);
}

const lastUse = ({ used_at, created_at }: OpenSession): string => used_at ?? created_at;

/** How many sessions one commit ends: the store allows 1,000 mutations. */
const BATCH = 100;

export interface EndedSessions {
  user_id: number;
  surface: SurfaceName;
  /** Selects the sessions by their ids. Default: all of them. */
  only?: (id: string) => boolean;
  /** Adds to the commit that ends the first of them. */
  addTo?: (commit: Deno.AtomicOperation, count: number) => void;
}

/** Ends sessions of a user on a surface, in all processes at once, and returns how many there were. */
export async function endSessions(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { user_id, surface, only = () => true, addTo }: EndedSessions,
): Promise<number> {
  const found = (await readRows(kv, user_id, [surface])).filter(({ key }) => only(String(key[1])));
  for (let i = 0; i < found.length; i += BATCH) {
    const commit = kv.atomic();
    for (const entry of found.slice(i, i + BATCH)) endSession(commit, entry);
    recordSessionWrite(commit, clock());
    if (i === 0) addTo?.(commit, found.length);
    await commit.commit();
  }
  return found.length;
}
