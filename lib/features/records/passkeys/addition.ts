/** Adding a passkey to a record. */
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { unchecked } from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import {
  type Admission,
  type HolderPasskey,
  registerPasskey,
  registrationOptions,
  summaryOf,
} from "../../passkeys/mod.ts";
import { addAccess } from "../access_log/access_log.ts";
import { accountName, type HolderRequest, type PasskeyOptions } from "./options.ts";
import { changeRecord, NOT_IN_FORCE, readRecord, waitsToCorrect } from "../record/store.ts";

const WAITING = fail("conflict", { message: NOT_IN_FORCE });

/**
 * Reads whether a passkey may be added to a record. It is stored in one commit with the record's level,
 * the access log and the security notice.
 */
async function askToAdd(
  { kv, notices }: Pick<PasskeyOptions, "kv" | "notices">,
  { record: hash, session, reader }: Omit<HolderRequest, "surface">,
): Promise<Admission<HolderPasskey, null> | Failure> {
  const record = await readRecord(kv, hash);
  if (record === null || record.row.replaced_by !== null) return fail("not_found");
  if (await waitsToCorrect(kv, record)) return WAITING;
  const { user_handle: userHandle, passkeys } = record.row;
  return {
    ok: true,
    purpose: { ceremony: "registration", session: session.id, record: hash },
    userHandle,
    passkeys,
    replaces: false,
    begin() {
      unchecked("The registration reads them again.", record.contact, record.entry);
      return Promise.resolve({ ok: true });
    },
    async complete(commit, { passkey: { id, name } }, now) {
      changeRecord(commit, record, { change: "passkey_added" }, now);
      addAccess(commit, hash, { what: "passkey_added", detail: name, reader }, now);
      const undo = { act: "remove_passkey", credential: id } as const;
      const notice = { record, kind: "passkey_added", undo, reader } as const;
      return { ok: true, done: null, mails: await notices.add(commit, notice, now) };
    },
  };
}

/** Returns what the browser needs to create a passkey of a record. */
export const additionOptions = (options: PasskeyOptions, request: HolderRequest) =>
  registrationOptions(options, addition(options, request));

/** Adds the passkey that the browser has created. */
export async function addPasskey(
  options: PasskeyOptions,
  request: HolderRequest,
  response: RegistrationResponseJSON,
) {
  const added = await registerPasskey(options, addition(options, request), response);
  return added.ok ? { ok: true as const, passkey: summaryOf(added.passkey) } : added;
}

const addition = (options: PasskeyOptions, { surface, ...request }: HolderRequest) => ({
  owner: { contact_hash: request.record },
  surface,
  account: accountName(request.record),
  browser: request.reader.browser,
  ask: () => askToAdd(options, request),
});
