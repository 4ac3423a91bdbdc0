/**
 * One-time codes by SMS and voice (spec 2.9, 4.7): a code signs in to the records of a confirmed
 * number, or confirms the number of a record.
 *
 * @module
 */
import type { CodesOptions } from "./options.ts";
import { inTime } from "../../base/in_time.ts";
import type { Reader, RecordEntry } from "../records/mod.ts";
import type { Failure } from "../../base/result.ts";
import { type CodeStore, createCodeStore, type PendingCode, type Purpose } from "./codes.ts";
import { createSendLimits } from "./send_limits.ts";
import { type NumberView, numberView, rejectNumber } from "./number.ts";
import type { Channel } from "./provider.ts";
import type { Delivery } from "./providers/deliveries.ts";
import { createSender, type SendRequest, type Sent } from "./send.ts";
import { type Verified, verifyCode, type VerifyRequest } from "./verify.ts";

export { MAX_ATTEMPTS, type PendingCode, type Purpose } from "./codes.ts";
export { bodyOfCodeForm, sendSchema, sentSchema, verifySchema } from "./input.ts";
export { codeData, type NumberView } from "./number.ts";
export type { Channel, CodeMessage, CodeProvider, SendResult } from "./provider.ts";

export interface CodeDelivery extends Delivery {
  channel: Channel;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Codes {
  /** The ways in which codes can be sent; none if codes are off. */
  channels: readonly Channel[];
  /** Sends a code, within the limits of `send_limits.ts`. */
  send(request: SendRequest): Promise<Sent | Failure>;
  /** Checks a code, and signs in or confirms the number. */
  verify(request: VerifyRequest): Promise<Verified | Failure>;
  /** Returns the live code that a browser asked for last. */
  pending(purpose: Purpose, browserId: string | null): Promise<PendingCode | null>;
  /**
   * Returns the delivery state of the message with a holder's code; null if there is no message or no
   * report yet. Always null for a sign-in, because the state would reveal which numbers are known.
   */
  delivery(hash: string, browserId: string | null): Promise<CodeDelivery | null>;
  /** Returns the number of a record, as its holder sees it. */
  numberOf(record: RecordEntry): Promise<NumberView>;
  /** Records that a number isn't the holder's, so that it never gets a code again. */
  rejectNumber(hash: string, reader: Reader): Promise<boolean>;
  /** Resolves when every message has been sent or has failed. */
  flush(): Promise<void>;
  /** Flushes, but not longer than `limitMs`. */
  close(limitMs: number): Promise<void>;
}

/**
 * Creates the codes. Nothing is sent or stored yet.
 *
 * @example
 * ```ts
 * const to = { purpose: "sign_in", number: "+61491570006" } as const;
 * await codes.send({ channel: "sms", to, browserId, clientAddress, responded });
 * const verified = await codes.verify({ code: "747723", for: { purpose: "sign_in", surface }, … });
 * ```
 */
export function createCodes(options: CodesOptions): Codes {
  const { config: { countries, voiceCountries, dailyBudget }, clientLimit, channels, provider } =
    options;
  const limitClients = clientLimit > 0;
  const codes: CodeStore = createCodeStore(options);
  const sendLimits = createSendLimits({
    ...options,
    countries: { sms: countries, voice: voiceCountries },
    dailyBudget,
    limitClients,
  });
  const sender = createSender({ ...options, sendLimits, codes });
  return {
    channels: provider === null ? [] : channels,
    send: sender.send,
    verify: (request) => verifyCode({ ...options, sendLimits, codes }, request),
    pending: codes.pending,
    async delivery(hash, browserId) {
      const pending = await codes.pending("confirm_number", browserId);
      if (pending === null || pending.contactHash !== hash || pending.message === null) return null;
      const delivery = await options.deliveries.read(pending.message);
      return delivery && { ...delivery, channel: pending.channel };
    },
    numberOf: (record) => numberView(options.kv, record),
    rejectNumber: (hash, reader) => rejectNumber(options, hash, reader),
    flush: sender.flush,
    async close(limitMs) {
      await inTime(sender.flush(), limitMs);
    },
  };
}
