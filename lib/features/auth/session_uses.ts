/** Records when and where the sessions of consoles were last used, at most once an hour. */
import { z } from "zod";
import { HOUR_MS, inDays } from "../../base/time.ts";
import { type LastUses } from "../../platform/http/last_use.ts";
import type { Device } from "../../platform/http/device.ts";
import { defineTable, expires, EXPIRING, isoAfter } from "../../platform/kv/mod.ts";
import { SESSION_LIFETIME_MS } from "./session_store.ts";

/** How often the use of a session is recorded. */
export const USE_MS = HOUR_MS;

const sessionUse = z.strictObject({
  user_id: z.int(),
  /** The id of the session. */
  session: z.string(),
  /** The hour in which it was last used; null until an hour after it began. */
  used_at: z.iso.datetime().nullable(),
  /** Where it was last used. */
  device: z.strictObject({ network: z.string(), browser: z.string() }),
  ...EXPIRING,
});

type SessionUse = z.infer<typeof sessionUse>;

/**
 * When and where the sessions of consoles were last used. They are not in the rows of the sessions, which every
 * commit of a request checks.
 */
export const sessionUses = defineTable({
  prefix: "session_uses",
  value: sessionUse,
  key: ["user_id", "session"],
  owner: { user: "user_id" },
  lifetime: expires(inDays(SESSION_LIFETIME_MS)),
  per: "browser that is signed in to a console",
  privacy: {
    section: "consoles",
    label: "Sessions",
    text:
      "For each browser in which you are signed in to a console, also the hour in which it was " +
      "last used, when a passkey was last used in it, with your network (the first three of the four numbers of an IPv4 address, or " +
      "the first 48 bits of an IPv6 address) and the name of your browser. You can see and " +
      "end your sessions on the Team page; administrators see how many there are, and can " +
      "end them.",
  },
});

/** A session, as far as its use depends on it. */
interface UsedSession {
  user_id: number;
  created_at: string;
  expires_at: string;
}

/** Records the use of a session, at most once an hour. */
export async function noteSessionUse(
  { kv, uses }: { kv: Deno.Kv; uses: LastUses },
  { key, value: { user_id, created_at, expires_at }, versionstamp }: Deno.KvEntry<UsedSession>,
  device: Device,
  now: number,
): Promise<void> {
  const session = String(key[1]);
  await uses.note(session, now, () => {
    const commit = kv.atomic().check({ key, versionstamp }); // it may have ended
    const used_at = isoAfter(now, 0);
    sessionUses.set(commit, { user_id, session, used_at, device, expires_at }, now);
    return commit;
  }, Date.parse(created_at));
}

/** Reads the uses of a user's sessions, by the ids of the sessions. */
export const readSessionUses = async (
  kv: Deno.Kv,
  user_id: number,
): Promise<Map<string, SessionUse>> =>
  new Map(
    await Array.fromAsync(
      sessionUses.list(kv, [user_id]),
      ({ value }): [string, SessionUse] => [value.session, value],
    ),
  );
