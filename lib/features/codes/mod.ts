/**
 * One-time codes by SMS and voice (spec 2.9, 4.7): a code signs in to the records of a confirmed
 * number, or confirms the number of a record.
 *
 * @module
 */
import type { CodesOptions } from "./options.ts";
import { inTime } from "../../base/in_time.ts";
import type { Reader, RecordEntry } from "../records/mod.ts";
import { createCodeStore } from "./codes.ts";
import { createSendLimits } from "./send_limits.ts";
import { numberView, rejectNumber } from "./number.ts";
import type { Channel } from "./provider.ts";
import type { Delivery } from "./providers/deliveries.ts";
import { createSender } from "./send.ts";
import { verifyCode, type VerifyRequest } from "./verify.ts";

export { MAX_ATTEMPTS, type PendingCode, type Purpose } from "./codes.ts";
export { bodyOfCodeForm, sendSchema, sentSchema, verifySchema } from "./input.ts";
export { codeData, type NumberView } from "./number.ts";
export type { Channel, CodeMessage, CodeProvider, SendResult } from "./provider.ts";

/** The delivery of a code, with its channel. */
export interface CodeDelivery extends Delivery {
  channel: Channel;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type Codes = ReturnType<typeof createCodes>;

/** Creates the codes. Nothing is sent or stored yet. */
export function createCodes(options: CodesOptions) {
  const { config: { countries, voiceCountries, dailyBudget }, clientLimit, channels, provider } =
    options;
  const limitClients = clientLimit > 0;
  const codes = createCodeStore(options);
  const sendLimits = createSendLimits({
    ...options,
    countries: { sms: countries, voice: voiceCountries },
    dailyBudget,
    limitClients,
  });
  const sender = createSender({ ...options, sendLimits, codes });
  return {
    /** The ways in which codes can be sent; none if codes are off. */
    channels: provider === null ? [] : channels,
    send: sender.send,
    verify: (request: VerifyRequest) => verifyCode({ ...options, sendLimits, codes }, request),
    pending: codes.pending,
    /**
     * Returns the delivery state of the message with a holder's code; null if there is no message or no
     * report yet. Always null for a sign-in, because the state would reveal which numbers are known.
     */
    async delivery(hash: string, browserId: string | null): Promise<CodeDelivery | null> {
      const pending = await codes.pending("confirm_number", browserId);
      if (pending === null || pending.contactHash !== hash || pending.message === null) return null;
      const delivery = await options.deliveries.read(pending.message);
      return delivery && { ...delivery, channel: pending.channel };
    },
    numberOf: (record: RecordEntry) => numberView(options.kv, record),
    rejectNumber: (hash: string, reader: Reader) => rejectNumber(options, hash, reader),
    flush: sender.flush,
    /** Flushes, but not longer than `limitMs`. */
    async close(limitMs: number) {
      await inTime(sender.flush(), limitMs);
    },
  };
}
