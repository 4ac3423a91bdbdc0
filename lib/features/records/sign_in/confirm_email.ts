/** The links that confirm an address, and sign in with it. */
import { signIns, TOKEN_LIFETIME_MS } from "../../auth/mod.ts";
import { type Confirmation, describeConfirmation } from "../../contact/mod.ts";
import { addAccess } from "../access_log/access_log.ts";
import type { RecordsOptions } from "../record/options.ts";
import { readForSession, type StartedSession, startSession } from "../sessions/start.ts";
import type { LinkUse } from "./mailed_link.ts";
import { changeRecord, readRecord, type RecordEntry } from "../record/store.ts";

type ConfirmEmailOptions = Pick<RecordsOptions, "kv" | "clock" | "contact" | "secrets" | "count">;

/** The result of a confirmation link. */
export interface EmailConfirmation {
  confirmation: Confirmation;
  /** The `Set-Cookie` value of the session, if the link signed in. */
  cookie: string | null;
  /** True if this opened the record. False if the browser had a session, whose record stays open. */
  opened: boolean;
  /** The record before the confirmation; null if it does not exist. */
  record: RecordEntry | null;
}

/** A link that confirms an address, and where it is used. */
export interface ConfirmUse extends LinkUse {
  /** When it was mailed, in milliseconds since 1970. Default: when its token was created. */
  linkAt?: number;
}

/** The links that confirm the email addresses of records. */
export interface EmailConfirmations {
  /** Reads a link without changing anything. */
  read(token: string): Promise<EmailConfirmation>;
  /**
   * Confirms the email address of a record and signs in, in one commit. Only the request that confirms the
   * address signs in; the same link does not sign in again. A browser that is signed in already keeps its record
   * open, and may switch to the new one if that has the same mailbox. If the link is older than a sign-in link
   * may be, the sign-in does not count as recent.
   */
  confirm(token: string, use: ConfirmUse): Promise<EmailConfirmation>;
}

export function createEmailConfirmations(
  { kv, contact, count }: ConfirmEmailOptions,
): EmailConfirmations {
  async function read(token: string): Promise<EmailConfirmation> {
    const found = await contact.findConfirmation(token);
    const record = found.state === "unknown" ? null : await readRecord(kv, found.entry.value.hash);
    const confirmation = describeConfirmation(found, record?.contact.value ?? null);
    return { confirmation, cookie: null, opened: false, record };
  }

  return {
    read,
    async confirm(token, { surface, reader, previous, linkAt }) {
      let started: StartedSession | null = null;
      let record: RecordEntry | undefined;
      const confirmation = await contact.confirm(
        token,
        async (commit, { hash, linkAgeMs, event: { seq } }, now) => {
          const choices = [hash];
          const rows = await readForSession(kv, { choices, previous });
          [record] = rows.records;
          if (record === undefined) return; // deleted in the meantime, so the commit fails
          const ageMs = linkAt === undefined ? linkAgeMs : now - linkAt;
          const recent = ageMs <= TOKEN_LIFETIME_MS;
          const session = {
            ...{ surface, choices, recent, previous, reader },
            method: "link" as const,
            logged: false,
            // A correction takes the place of the record that is open.
            keep: record.row.replaces === null,
          };
          started = await startSession(kv, commit, session, now, rows);
          // After the session, because both write the row and the last write counts.
          changeRecord(commit, record, { change: "email_confirmed" }, now);
          const detail = started === null ? undefined : "and signed in with the same link";
          addAccess(commit, hash, { what: "email_confirmed", reader, seq, detail }, now);
        },
      );
      if (confirmation === null || record === undefined) return await read(token);
      const session = started as StartedSession | null;
      if (session !== null) count?.(signIns, { who: "holder", method: "confirmation" });
      const opened = session?.record === record.hash;
      return { confirmation, cookie: session?.cookie ?? null, opened, record };
    },
  };
}
