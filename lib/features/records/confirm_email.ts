import { createDevices, signIns, TOKEN_LIFETIME_MS } from "../auth/mod.ts";
import type { Confirmation, Contact } from "../contact/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { addAccess } from "./access_log.ts";
import { startSession } from "./sessions.ts";
import type { LinkUse } from "./sign_in.ts";
import { changeRecord, readRecord } from "./store.ts";

interface ConfirmEmailOptions {
  kv: Deno.Kv;
  clock: () => number;
  contact: Contact;
  secrets: Secrets;
  count?: Count;
}

/** The result of a confirmation link, with the `Set-Cookie` values of the sign-in, if any. */
export interface EmailConfirmation {
  confirmation: Confirmation;
  cookies: string[];
}

/**
 * Creates the function that confirms the email address of a record and signs in, in one commit. Only
 * the request that confirms the address signs in; the same link does not sign in again. If the link
 * is older than a sign-in link may be, the sign-in does not count as recent (design, section 11).
 */
export function createConfirmEmail(
  { kv, clock, contact, secrets, count }: ConfirmEmailOptions,
) {
  const devices = createDevices(secrets, clock);
  return async (
    token: string,
    { surface, reader, devices: known, previous }: LinkUse,
  ): Promise<EmailConfirmation> => {
    let cookies: string[] = [];
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
      };
      const started = await startSession(kv, commit, session, now);
      // After the session, because both write the row and the last write counts.
      changeRecord(commit, record, { change: "email_confirmed" }, now);
      addAccess(commit, hash, { what: "email_confirmed", reader, seq }, now);
      const { email } = confirmed.entry.value.record;
      cookies = started === null
        ? []
        : [started.cookie, await devices.cookie(known, { email, surface })];
    });
    const signedIn = confirmation.ok && confirmation.state === "confirmed" && cookies.length > 0;
    if (signedIn) count?.(signIns, { who: "holder", method: "confirmation" });
    return { confirmation, cookies: signedIn ? cookies : [] };
  };
}
