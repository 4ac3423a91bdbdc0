import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import {
  independent,
  readSlot,
  type SlidingWindow,
  transact,
  unchecked,
} from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import {
  addAccess,
  changeRecord,
  type Holder,
  NOT_IN_FORCE,
  OTHER_PROGRAM,
  type Reader,
  readRecord,
  waitsToCorrect,
} from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { HOUR_MS } from "../../base/time.ts";
import {
  createOptions,
  EXPIRED,
  newCredential,
  NOT_ADDED,
  passkeyId,
  type RelyingParty,
  tooMany,
  verifyRegistration,
} from "../webauthn/mod.ts";
import { challenges } from "./challenges.ts";
import type { ManageDeps } from "./manage.ts";
import { listPasskeys, MAX_PASSKEYS, type Passkey, passkeys } from "./store.ts";

/** The holder who adds a passkey, and the place. */
interface RegistrationRequest extends Holder {
  party: RelyingParty;
  reader: Reader;
}

const FULL = fail("too_many_passkeys", {
  message: `A record can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
});

const WAITING = fail("conflict", { message: NOT_IN_FORCE });

/** Limits attempts to add a passkey to a record, each of which stores a challenge. */
const recordWindow = (hash: string): SlidingWindow => ({
  key: ["passkey_limits", "record", hash],
  limit: 30,
  windowMs: HOUR_MS,
});

const READ_AGAIN = "The registration reads them again.";
const REFUSED = "A refusal only uses up its challenge.";
const keyOf = ({ id }: Passkey) => ({ key: passkeys.key(id) });

/** Returns the name that password managers show for a record's passkeys. */
export const accountName = (hash: string): string => `Record ${hash.slice(0, 8)}`;

/** Issues a challenge with the options for `navigator.credentials.create()`. */
export function registrationOptions(
  { kv, clock }: ManageDeps,
  { record: hash, session, party }: RegistrationRequest,
): Promise<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Failure> {
  return transact<{ ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Failure>(
    async () => {
      const now = clock();
      const [slot, record, passkeys] = await Promise.all([
        readSlot(kv, recordWindow(hash), now),
        readRecord(kv, hash),
        listPasskeys(kv, hash),
      ]);
      unchecked(READ_AGAIN, ...passkeys.map(keyOf));
      if (record === null) return { result: fail("not_found") };
      if (await waitsToCorrect(kv, record)) return { result: WAITING };
      if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
      if (record.row.passkeys >= MAX_PASSKEYS) return { result: FULL };
      unchecked(READ_AGAIN, record.contact, record.entry);
      const commit = kv.atomic();
      slot.take(commit);
      const purpose = { ceremony: "registration", session: session.id, record: hash } as const;
      const { token } = challenges.create(commit, purpose, now);
      const options = await createOptions({
        party,
        account: accountName(hash),
        userHandle: record.row.user_handle,
        challenge: token,
        passkeys,
      });
      return { result: { ok: true, options }, commit };
    },
  );
}

/**
 * Verifies a new passkey and stores it, in one commit with the use of its challenge, the record's
 * level, the access log and the security notice.
 */
export async function registerPasskey(
  { kv, clock, notices, mailer }: ManageDeps,
  { record: hash, session, party, reader }: RegistrationRequest,
  response: RegistrationResponseJSON,
): Promise<{ ok: true; passkey: Passkey } | Failure> {
  const purpose = { ceremony: "registration", session: session.id, record: hash } as const;
  return await transactAndMail<{ ok: true; passkey: Passkey } | Failure>(mailer, async () => {
    const now = clock();
    const issued = await challenges.find(kv, response, purpose, now);
    if (issued === null) return { result: EXPIRED };
    const commit = kv.atomic();
    challenges.use(commit, issued.entry, now);
    const verified = await verifyRegistration(response, issued.challenge, party);
    if (verified === null) return { result: NOT_ADDED, commit };
    const known = await passkeys.get(kv, passkeyId(verified.credential.id));
    if (known.versionstamp !== null) {
      independent(REFUSED);
      return { result: NOT_ADDED, commit };
    }
    const [record, others] = await Promise.all([readRecord(kv, hash), listPasskeys(kv, hash)]);
    unchecked("Their names only lead to the name of the new one.", ...others.map(keyOf));
    const refused = record === null || record.row.replaced_by !== null
      ? fail("not_found")
      : await waitsToCorrect(kv, record)
      ? WAITING
      : record.row.passkeys >= MAX_PASSKEYS
      ? FULL
      : null;
    if (record === null || refused !== null) {
      independent(REFUSED);
      return { result: refused!, commit };
    }

    const { user_handle: userHandle } = record.row;
    const browser = reader.browser === OTHER_PROGRAM ? null : reader.browser;
    const about = { response, verified, party, userHandle, browser, others };
    const passkey: Passkey = { ...newCredential(about, now), contact_hash: hash };
    commit.check(known);
    passkeys.set(commit, passkey);
    changeRecord(commit, record, { change: "passkey_added" }, now);
    addAccess(commit, hash, { what: "passkey_added", detail: passkey.name, reader }, now);
    const undo = { act: "remove_passkey", credential: passkey.id } as const;
    const mails = await notices.add(commit, { record, kind: "passkey_added", undo, reader }, now);
    return { result: { ok: true, passkey }, commit, mails };
  });
}
