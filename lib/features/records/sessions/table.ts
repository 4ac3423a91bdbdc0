/** The sessions of holders, as they are stored, and their cookie. */
import { z } from "zod";
import { createSessionStore, SESSION_LIFETIME_MS } from "../../auth/mod.ts";
import { defineTable, expires, EXPIRING } from "../../../platform/kv/mod.ts";
import { SURFACE_NAMES } from "../../../platform/surfaces/mod.ts";
import { inDays, MINUTE_MS } from "../../../base/time.ts";
import { addAccess, storedReader } from "../access_log/access_log.ts";
import type { RecordEntry } from "../record/store.ts";

/** Sensitive actions require a sign-in within this time (docs/records.md). */
export const RECENT_MS = 10 * MINUTE_MS;

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

const storedSession = z.strictObject({
  /** The surface that created it. It is invalid on all others. */
  surface: z.enum(SURFACE_NAMES),
  /** The record that is open; null until the holder has chosen one of several. */
  record: z.string().nullable(),
  /** Every record that this sign-in may open. */
  choices: z.array(z.string()),
  /** How the holder signed in. */
  method: z.enum(["passkey", "link", "link_code", "code"]),
  /** The time until which sensitive actions are allowed. */
  recent_until: time,
  reader: storedReader,
  /**
   * The id of the first of several sessions that replaced each other in one browser. Absent in the
   * first session.
   */
  continues: z.string().optional(),
  created_at: time,
  ...EXPIRING,
});

export type StoredSession = z.infer<typeof storedSession>;
export type SignInMethod = StoredSession["method"];

export const BY_RECORD = "record_sessions_by_record";

export type IndexRow = Pick<StoredSession, "expires_at" | "continues">;

/** The sessions of holders. They end with each of the records that they may open. */
export const holderSessions = defineTable({
  prefix: "record_sessions",
  value: storedSession,
  key: ["id"],
  indexes: {
    [BY_RECORD]: {
      columns: ["choices"],
      value: ({ expires_at, continues }: StoredSession): IndexRow => ({
        expires_at,
        ...continues === undefined ? {} : { continues },
      }),
    },
  },
  owner: { record: "choices" },
  lifetime: expires(inDays(SESSION_LIFETIME_MS)),
  per: "browser that is signed in to a record",
  privacy: {
    section: "record",
    label: "Sessions",
    text: "For each browser in which you are signed in: the records that you may open, how you " +
      "signed in, your network and the name of your browser, with a fingerprint of its cookie, " +
      `for ${inDays(SESSION_LIFETIME_MS)} or until you sign out.`,
  },
});

/** The session of a holder, as it was read. */
export interface HolderSession extends StoredSession {
  /** SHA-256 of the cookie's value, which identifies the session in the store. */
  id: string;
  /** Its row, as it was read. */
  row: Deno.AtomicCheck;
  /** When the open record will be deleted; until then it is closed. Null if it is not closed. */
  closed: string | null;
  /** True if the open record is a correction that is not in force. */
  waiting: boolean;
  /** The open record, read together with the session. Null if none is open, or if it was deleted. */
  opened: RecordEntry | null;
}

/** The holder of a request: the open record and the session. */
export interface Holder {
  record: string;
  session: HolderSession;
}

/** The most records that a session may open: more than one person registers. */
export const MAX_CHOICES = 20;

export const cookies = createSessionStore<StoredSession>({
  cookie: "record_session",
  prefix: holderSessions.prefix,
});

export const clearedRecordCookie = cookies.clearedCookie;

const METHODS: Record<SignInMethod, string> = {
  passkey: "with a passkey",
  link: "with an emailed link",
  link_code: "with an emailed link and its code",
  code: "with a code",
};

/** Returns the id of a session, or of the first one that it continues. */
export const firstSessionOf = (
  { id, continues }: Pick<HolderSession, "id" | "continues">,
): string => continues ?? id;

/** Returns whether a sign-in is recent enough for sensitive actions. */
export const isRecent = ({ recent_until }: { recent_until: string }, now: number) =>
  now < Date.parse(recent_until);

/** Adds the end of a session to a commit, which fails if the session has changed. */
export function addEnd(
  commit: Deno.AtomicOperation,
  id: string,
  entry: Deno.KvEntry<StoredSession>,
): void {
  holderSessions.deleteAt(commit.check(entry), [id], entry.value);
}

/** Adds the entry of a sign-in to a record's access log. */
export function logSignIn(
  commit: Deno.AtomicOperation,
  hash: string,
  { method, reader }: Pick<StoredSession, "method" | "reader">,
  now: number,
): void {
  addAccess(commit, hash, { what: "signed_in", detail: METHODS[method], reader }, now);
}
