import { signIns, TOKEN_LIFETIME_MS } from "../auth/mod.ts";
import type { Confirmation } from "../contact/mod.ts";
import { addAccess } from "./access_log.ts";
import type { RecordsOptions } from "./options.ts";
import { startSession } from "./sessions.ts";
import type { LinkUse } from "./sign_in.ts";
import { changeRecord, readRecord } from "./store.ts";

type ConfirmEmailOptions = Pick<RecordsOptions, "kv" | "clock" | "contact" | "secrets" | "count">;

/** The result of a confirmation link, with the `Set-Cookie` value of the session, if it signed in. */
export interface EmailConfirmation {
  confirmation: Confirmation;
  cookie: string | null;
}

/**
 * Creates the function that confirms the email address of a record and signs in, in one commit. Only
 * the request that confirms the address signs in; the same link does not sign in again. If the link
 * is older than a sign-in link may be, the sign-in does not count as recent (design, section 11).
 */
export function createConfirmEmail(
  { kv, contact, count }: ConfirmEmailOptions,
) {
  return async (
    token: string,
    { surface, reader, previous }: LinkUse,
  ): Promise<EmailConfirmation> => {
    let cookie: string | null = null;
    const confirmation = await contact.confirm(token, async (commit, confirmed, now) => {
      const { hash, linkAgeMs, event: { seq } } = confirmed;
      const record = await readRecord(kv, hash);
      if (record === null) return; // deleted in the meantime, so the commit fails
      const recent = linkAgeMs <= TOKEN_LIFETIME_MS;
      const session = {
        surface,
        choices: [hash],
        method: "link" as const,
        recent,
        previous,
        reader,
        logged: false,
      };
      const started = await startSession(kv, commit, session, now);
      // After the session, because both write the row and the last write counts.
      changeRecord(commit, record, { change: "email_confirmed" }, now);
      const detail = started === null ? undefined : "and signed in with the same link";
      addAccess(commit, hash, { what: "email_confirmed", reader, seq, detail }, now);
      cookie = started?.cookie ?? null;
    });
    const signedIn = confirmation.ok && confirmation.state === "confirmed" && cookie !== null;
    if (signedIn) count?.(signIns, { who: "holder", method: "confirmation" });
    return { confirmation, cookie: signedIn ? cookie : null };
  };
}
