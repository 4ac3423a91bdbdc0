/** Sends a code to sign in or to confirm a number, without revealing which numbers are known. */
import { maskMobile } from "../contact/mod.ts";
import { settledWithin } from "../../platform/http/settled.ts";
import { asSite, isUnusable, KvBusyError } from "../../platform/kv/mod.ts";
import { type Holder, NOT_IN_FORCE } from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { counter } from "../../platform/telemetry/mod.ts";
import { SECOND_MS } from "../../base/time.ts";
import type { CodesOptions } from "./options.ts";
import type { CodeStore, Purpose } from "./codes.ts";
import type { Admitted, Message as LimitedMessage, SendLimits } from "./send_limits.ts";
import { smsText, spokenText } from "./messages.ts";
import { recordNumbers, recordsOpenedBy } from "./number.ts";
import type { Channel, CodeProvider, SendResult } from "./provider.ts";

interface SendRequest {
  channel: Channel;
  /**
   * The number to sign in with, in E.164, by default the one of the browser's last code; or the holder
   * whose own number is confirmed.
   */
  to: { purpose: "sign_in"; number?: string } | { purpose: "confirm_number"; holder: Holder };
  browserId: string;
  clientAddress: string;
  /** Settles when the response has been sent. Nothing is looked up for a sign-in before that. */
  responded: Promise<unknown>;
}

interface Sent {
  ok: true;
  /** The number, masked. */
  to: string;
  channel: Channel;
  /** When another code for this number can be requested. */
  retryAfterSeconds: number;
}

export const codesSent = counter("codes", "One-time codes passed to the provider.", {
  channel: ["sms", "voice"],
  outcome: ["accepted", "rejected"],
});

/** Seconds until another code can be sent, because the limits allow one per minute and number. */
const RESEND_AFTER_S = 60;

interface SendOptions extends CodesOptions {
  sendLimits: SendLimits;
  codes: CodeStore;
}

interface Message extends LimitedMessage {
  purpose: Purpose;
  digits: string;
}

/** How long to wait for a client that does not read its response. */
const RESPONSE_TIMEOUT_MS = SECOND_MS;

/** How many messages may be in preparation at the same time; bounds the memory used. */
const MAX_PENDING = 1_000;

/**
 * Creates the function behind `POST /api/auth/otp/send`.
 *
 * For a sign-in, the result depends on the number and the client, but not on whether the number
 * belongs to a record: a code is stored for every number, and the look-up and the message follow
 * after the response. Holders confirm their own number, so they learn whether the message was sent.
 */
export function createSender(options: SendOptions) {
  const { codes, channels, log } = options;
  const pending = new Set<Promise<void>>();

  /** Responds to a sign-in before it is known whether the number belongs to a record. */
  async function sendToAnyone(
    provider: CodeProvider,
    request: SendRequest,
    number: string,
  ): Promise<Sent | Failure> {
    if (pending.size >= MAX_PENDING) return fail("unavailable", { retryAfterSeconds: 5 });
    const ready = await admit(options, request, number);
    if (!ready.ok) return ready;
    const { channel, to: { purpose } } = request;
    const { digits, id } = ready;
    later(async () => {
      await settledWithin(request.responded, RESPONSE_TIMEOUT_MS);
      await sendToKnown(options, provider, { purpose, number, channel, digits }, id);
    });
    return sent(number, channel);
  }

  function later(step: () => Promise<void>): void {
    const running = asSite(step).catch((error) => {
      const busy = error instanceof KvBusyError || isUnusable(error);
      const reason = busy ? error.code : "unexpected";
      const stack = !busy && error instanceof Error ? error.stack : undefined;
      log({ level: "error", event: "code_failed", reason, stack });
    }).finally(() => pending.delete(running));
    pending.add(running);
  }

  return {
    async send(request: SendRequest): Promise<Sent | Failure> {
      const { provider } = options;
      const { channel, to, browserId } = request;
      const number = to.purpose === "confirm_number"
        ? null // the record's
        : to.number ?? (await codes.pending(to.purpose, browserId))?.number;
      if (number === undefined) return missingNumber();
      if (provider === null || !channels.includes(channel)) return off(provider !== null);
      if (to.purpose === "confirm_number") {
        return await sendToHolder(options, provider, request, to.holder);
      }
      return await sendToAnyone(provider, request, number!);
    },
    /** Resolves when every message has been sent or has failed. */
    async flush(): Promise<void> {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}

/** Counts a request and stores its code, in one commit. */
async function admit(
  { codes, sendLimits }: SendOptions,
  { channel, to, browserId, clientAddress }: SendRequest,
  number: string,
  record?: string,
): Promise<{ ok: true; admitted: Admitted; digits: string; id: string } | Failure> {
  let created = { digits: "", id: "" };
  const contactHash = to.purpose === "confirm_number" ? to.holder.record : null;
  const code = { purpose: to.purpose, number, channel, browserId, contactHash };
  const admitted = await sendLimits.admit(
    { number, channel, clientAddress, record },
    async (commit, now) => {
      const result = await codes.create(commit, code, now);
      if (!result.ok) return result;
      created = result;
    },
  );
  return admitted.ok ? { ...created, ok: true, admitted } : admitted;
}

/** Sends a message that has been counted, and takes back the count if it was not accepted. */
async function post(
  { site, count, sendLimits }: SendOptions,
  provider: CodeProvider,
  message: Message,
): Promise<SendResult> {
  const { purpose, number, channel, digits } = message;
  const text = channel === "sms" ? smsText(digits, site) : spokenText(digits, purpose, site);
  const idempotencyKey = crypto.randomUUID();
  const result = await provider.send({ to: number, channel, text, idempotencyKey });
  count?.(codesSent, { channel, outcome: result.ok ? "accepted" : "rejected" });
  if (!result.ok && isCertain(result.error)) await sendLimits.release(message);
  return result;
}

async function sendToHolder(
  options: SendOptions,
  provider: CodeProvider,
  request: SendRequest,
  { record, session }: Holder,
): Promise<Sent | Failure> {
  const { kv, codes, records, sendLimits } = options;
  const { channel } = request;
  if (session.method === "code") return needsOtherSignIn();
  const found = await records.read(record);
  const number = found?.contact.value.record.mobile;
  if (found === null || number === undefined) return fail("not_found", { message: NO_NUMBER });
  const { value: stored } = await recordNumbers.get(kv, record);
  if (stored?.rejected_at) return fail("conflict", { message: REJECTED });
  if (found.row.mobile_confirmed_at !== null) return fail("conflict", { message: CONFIRMED });
  if (!await records.correction.mayConfirmNumber(found)) {
    return fail("conflict", { message: NOT_IN_FORCE });
  }
  const handle = found.row.user_handle;
  const ready = await admit(options, request, number, handle);
  if (!ready.ok) return ready;
  const { digits } = ready;
  const message = { purpose: "confirm_number", number, channel, digits, record: handle } as const;
  const result: SendResult = await sendLimits.reserve(message)
    ? await post(options, provider, message)
    : { ok: false, error: "rate_limited" };
  if (result.ok) {
    await codes.setMessage(ready.id, result.id);
    return sent(number, channel);
  }
  if (isCertain(result.error)) await sendLimits.withdraw(ready.admitted);
  return sendFailure(result.error, channel);
}

/** Sends a code to a number with which somebody may sign in. */
async function sendToKnown(
  options: SendOptions,
  provider: CodeProvider,
  message: Message,
  id: string,
): Promise<void> {
  const { kv, codes, index, sendLimits } = options;
  const { number } = message;
  const records = await recordsOpenedBy({ kv, index }, number);
  if (records.length === 0) return;
  const reserved = await sendLimits.reserve(message, (commit, now) => {
    for (const { hash } of records) codes.index(commit, hash, id, now);
  });
  if (reserved) await post(options, provider, message);
}

const sent = (number: string, channel: Channel): Sent => ({
  ok: true,
  to: maskMobile(number),
  channel,
  retryAfterSeconds: RESEND_AFTER_S,
});

const NO_NUMBER = "This record has no mobile number. Correct your contact data to add one.";
const REJECTED =
  "You said that this isn't your number, so it gets no codes. Correct your contact data to use another one.";
const CONFIRMED = "This number is already confirmed.";

const missingNumber = (): Failure =>
  fail("invalid_request", {
    message: "Some fields are missing or invalid.",
    issues: { mobile: "Enter your mobile number." },
  });

/** A provider that was too slow may have accepted the message. All other errors are refusals. */
const isCertain = (error: string) => error !== "unavailable";

export const needsOtherSignIn = (): Failure =>
  fail("forbidden", {
    message: "Sign in with a passkey or an emailed link to confirm a number. A code is not enough.",
  });

function off(calls: boolean): Failure {
  const message = calls
    ? "This site cannot send codes this way. Choose text message or call instead, or use a passkey or an emailed link."
    : "This site does not send codes at the moment. Use a passkey or an emailed link.";
  return fail("unavailable", { message });
}

function sendFailure(error: Exclude<SendResult, { ok: true }>["error"], channel: Channel): Failure {
  const other = channel === "sms" ? "Choose “Call me instead”" : "Choose “Text me a code”";
  switch (error) {
    case "invalid_number":
      return fail("invalid_number", {
        message: "This number does not exist. Correct your contact data.",
      });
    case "unreachable": {
      const what = channel === "sms" ? "text messages" : "calls";
      return fail("unreachable", { message: `This number cannot receive ${what}. ${other}.` });
    }
    case "blocked":
      return fail("blocked", { message: "We cannot send codes to this number. Add a passkey." });
    case "rate_limited":
    case "unavailable":
      return fail("unavailable", {
        message: `The code could not be sent. ${other}, or try again in a minute.`,
        retryAfterSeconds: 60,
      });
  }
}
