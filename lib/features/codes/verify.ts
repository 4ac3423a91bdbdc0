/** Checks a code that somebody typed, then signs them in or confirms their number. */
import { signIns } from "../auth/mod.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { takeSlot, transact } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import {
  addAccess,
  changeRecord,
  type Holder,
  type Reader,
  readRecord,
  startSession,
} from "../records/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import { formatWait } from "../../base/time.ts";
import { type CodeStore, type CorrectCode, expired, MAX_ATTEMPTS, wrongCode } from "./codes.ts";
import type { CodesOptions } from "./options.ts";
import type { SendLimits } from "./send_limits.ts";
import { recordNumbers, recordsOpenedBy, setNumberState } from "./number.ts";
import { codeAttempts } from "./limits.ts";
import { needsOtherSignIn } from "./send.ts";

export interface VerifyRequest {
  /** The code as the person typed it. */
  code: string;
  /**
   * The surface of a sign-in and the session of the browser that it ends, or the holder whose number
   * is confirmed.
   */
  for:
    | { purpose: "sign_in"; surface: SurfaceName; previous: string | null }
    | { purpose: "confirm_number"; holder: Holder };
  browserId: string | null;
  clientAddress: string;
  reader: Reader;
}

type SignIn = Extract<VerifyRequest["for"], { purpose: "sign_in" }>;

/** `cookie` is the `Set-Cookie` value of a sign-in. */
type Verified = { ok: true; cookie: string | null };

interface VerifyOptions extends CodesOptions {
  codes: CodeStore;
  sendLimits: SendLimits;
}

/** The code is already used, so the sign-in must not fail because it could not be counted. */
const NOT_COUNTED = { level: "warn", event: "code_not_counted" };

/** The records that one sign-in may open. Each of them gets a mail in the commit. */
const MAX_CHOICES = 10;

/**
 * Checks a code, for `POST /api/auth/otp/verify`. A correct code is consumed in the commit of its
 * effect, so that concurrent requests have one effect, and a crash loses neither.
 */
export async function verifyCode(
  options: VerifyOptions,
  { code, for: target, browserId, clientAddress, reader }: VerifyRequest,
): Promise<Verified | Failure> {
  const { codes, sendLimits, log } = options;
  if (target.purpose === "confirm_number" && target.holder.session.method === "code") {
    return needsOtherSignIn();
  }
  const refused = await countClient(options, clientAddress);
  if (refused !== null) return refused;
  const correct = await codes.check(target.purpose, browserId, code);
  if (!correct.ok) return correct;
  const { contact_hash } = correct.row;
  if (target.purpose === "confirm_number" && contact_hash !== target.holder.record) {
    return expired();
  }
  const done = target.purpose === "sign_in"
    ? await signIn(options, correct, target, reader)
    : await confirmNumber(options, correct, target.holder, reader);
  if (done.ok) await sendLimits.approve(correct.number).catch(() => log(NOT_COUNTED));
  return done;
}

async function countClient(
  { kv, clock, clientLimit }: VerifyOptions,
  clientAddress: string,
): Promise<Failure | null> {
  if (clientLimit === 0) return null;
  const window = codeAttempts.of([sha256(addressKey(clientAddress))]);
  const counted = await takeSlot(kv, window, clock);
  if (counted.ok) return null;
  const wait = formatWait(counted.retryAfterSeconds);
  return { ...counted, message: `Too many codes were entered. Try again ${wait}.` };
}

/** Starts a session for the records of a number. */
async function signIn(
  { kv, clock, index, codes, records, mailer, count }: VerifyOptions,
  correct: CorrectCode,
  { surface, previous }: SignIn,
  reader: Reader,
): Promise<Verified | Failure> {
  const result = await transactAndMail<Verified | Failure>(mailer, async () => {
    const now = clock();
    const choices = await recordsOpenedBy({ kv, index }, correct.number, MAX_CHOICES);
    const commit = kv.atomic();
    if (!await codes.consume(commit, correct, now)) return { result: expired() };
    const hashes = choices.map(({ hash }) => hash);
    const session = { surface, choices: hashes, method: "code", previous, reader } as const;
    const started = await startSession(kv, commit, session, now);
    if (started === null) return { result: nothingToOpen(correct) };
    const undo = { act: "end_session", session: started.id } as const;
    const notices = choices.map((record) =>
      records.notices.add(commit, { record, kind: "signed_in_by_code", undo, reader }, now)
    );
    const mails = (await Promise.all(notices)).flat();
    return { result: { ok: true, cookie: started.cookie }, commit, mails };
  });
  if (result.ok) count?.(signIns, { who: "holder", method: "code" });
  return result;
}

/** Confirms the number of a record. The first time, the chain gets the event `sms_confirmed`. */
async function confirmNumber(
  { kv, clock, chains, index, codes, records, mailer }: VerifyOptions,
  correct: CorrectCode,
  { record: hash }: Holder,
  reader: Reader,
): Promise<Verified | Failure> {
  let mails: QueuedMail[] = [];
  const { value } = await recordNumbers.get(kv, hash);
  const first = !value?.event_at;
  const add = async (commit: Deno.AtomicOperation): Promise<boolean> => {
    const now = clock();
    const [record, stored] = await Promise.all([
      readRecord(kv, hash),
      recordNumbers.get(kv, hash),
    ]);
    if (record?.contact.value.record.mobile !== correct.number || stored.value?.rejected_at) {
      return false;
    }
    if (record.row.replaced_by !== null) return false;
    if (!await records.correction.mayConfirmNumber(record)) return false;
    if (first !== !stored.value?.event_at) return false;
    if (!await codes.consume(commit, correct, now)) return false;
    setNumberState(commit, stored, {
      event_at: stored.value?.event_at ?? new Date(now).toISOString(),
    });
    changeRecord(commit, record, { change: "mobile_confirmed" }, now);
    await index.add(commit, "mobile", correct.number, hash);
    addAccess(commit, hash, { what: "mobile_confirmed", reader }, now);
    const notice = {
      record,
      kind: "mobile_confirmed",
      undo: { act: "unconfirm_mobile" },
      reader,
    } as const;
    mails = await records.notices.add(commit, notice, now);
    return true;
  };
  const done = first
    ? await chains.append(hash, "sms_confirmed", add) !== null
    : await transact(async () => {
      const commit = kv.atomic();
      return await add(commit) ? { result: true, commit } : { result: false };
    });
  if (!done) return expired();
  mailer.send(mails);
  await records.correction.putInForce(hash);
  return { ok: true, cookie: null };
}

/** The failure of a correct code that opens no record, which is the same as for a wrong code. */
const nothingToOpen = ({ row }: CorrectCode): Failure =>
  wrongCode(Math.max(0, MAX_ATTEMPTS - row.attempts - 1));
