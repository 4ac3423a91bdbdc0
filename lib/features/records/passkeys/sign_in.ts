/** Signing in to a record with a passkey. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { signIns } from "../../auth/mod.ts";
import { EXPIRED, REFUSED, signInPurpose, usePasskey } from "../../passkeys/mod.ts";
import type { Failure } from "../../../base/result.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { PasskeyOptions } from "./options.ts";
import { startSession } from "../sessions/start.ts";
import { readCurrentRecord } from "../record/store.ts";

/** The browser that signs in, and the place. */
export interface PasskeySignIn {
  surface: Surface;
  /** The id of the browser that asked for the options; null if it sent none. */
  browser: string | null;
  /** The id of the session that the browser has had so far. It ends. */
  previous: string | null;
  reader: Reader;
}

/**
 * Starts a session for the record of a passkey.
 *
 * @returns the `Set-Cookie` value of the session
 */
export async function signInWithPasskey(
  options: PasskeyOptions,
  { surface, browser, previous, reader }: PasskeySignIn,
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  if (browser === null) return EXPIRED;
  const { kv, notices, count } = options;
  const result = await usePasskey(options, {
    surface,
    purpose: signInPurpose(browser),
    owner: {},
    async wentBack(commit, { id, contact_hash, name: detail }, now) {
      addAccess(commit, contact_hash, { what: "passkey_counter", detail, reader }, now);
      const record = await readCurrentRecord(kv, contact_hash);
      if (record === null) return;
      const undo = { act: "remove_passkey", credential: id } as const;
      const notice = { record, kind: "passkey_counter", undo, reader } as const;
      return await notices.add(commit, { ...notice, facts: [["Passkey", detail]] }, now);
    },
    async accept(commit, { contact_hash }, now) {
      // A correction moves passkeys after it took effect.
      const record = await readCurrentRecord(kv, contact_hash);
      if (record === null) return REFUSED;
      const started = await startSession(kv, commit, {
        surface: surface.name,
        choices: [record.hash],
        method: "passkey",
        previous,
        reader,
      }, now);
      return started === null ? REFUSED : { ok: true, cookie: started.cookie };
    },
  }, response);
  if (result.ok) count?.(signIns, { who: "holder", method: "passkey" });
  return result;
}
