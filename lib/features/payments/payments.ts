/** The payments as one service: receiving webhook events, lists, searches and daily totals. */
import { type PaymentsConfig, secretVariable } from "./variables.ts";
import type { Platform } from "../../platform/feature.ts";
import { createDerivedValues } from "../../platform/kv/mod.ts";
import { readBytes } from "../../platform/http/body.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { readEvent } from "./event.ts";
import type { PaymentQuery } from "./filters.ts";
import { computeDays, type PaymentDay, readDays } from "./days.ts";
import { findByAmount, findPayments } from "./find.ts";
import { findByWords } from "./words.ts";
import { readHistory } from "./history.ts";
import { listPayments, type PaymentList, readPayments } from "./list.ts";
import { verifySignature } from "../../platform/http/webhook_signature.ts";
import { createStandInClient } from "./stand_in.ts";
import type { Payment } from "./rows.ts";
import {
  applyUpdate,
  paymentData,
  paymentsOfRecord,
  readByIds,
  readPayment,
  versionKey,
} from "./store.ts";

/** The largest event in bytes. */
const EVENT_LIMIT = 256 * 1024;

/** The payments that each organisation's provider reports. Each function reads one organisation. */
export type Payments = ReturnType<typeof createPayments>;

type Received =
  | { ok: true; outcome: "applied" | "repeated" | "ignored" }
  | Failure<"unavailable" | "too_large" | "invalid_request" | "invalid_event">;

interface PaymentsOptions
  extends Pick<Platform, "kv" | "clock" | "fetch" | "log" | "secretStates"> {
  /** Returns the current settings, because secrets can be replaced. */
  config: () => PaymentsConfig;
}

/** Creates what receives the events of payment providers, and lists and sums payments. */
export function createPayments(
  { kv, clock, config, fetch, log, secretStates }: PaymentsOptions,
) {
  const { standIn } = config();
  const derived = createDerivedValues({ clock });
  const secretsOf = (organisation: OrganisationKey) => config().secrets[organisation];

  /** Verifies and applies an event of the provider. Only its signature authenticates it. */
  async function receive(organisation: OrganisationKey, req: Request): Promise<Received> {
    if (secretsOf(organisation).length === 0) {
      return fail("unavailable", { message: "This webhook is not configured." });
    }
    const body = await readBytes(req, EVENT_LIMIT);
    if (body === undefined) {
      return fail("too_large", { message: `Send at most ${EVENT_LIMIT} bytes.` });
    }
    const signed = verifySignature(req, body, secretsOf(organisation), clock());
    if (!signed.ok) return signed;
    if (signed.secret !== secretsOf(organisation)[0]) {
      await secretStates.noteUse(secretVariable(organisation), signed.secret);
    }
    const event = readEvent(body, signed.eventId);
    if (!event.ok) {
      log({ level: "warn", event: "payment_event_invalid", organisation });
      return event;
    }
    if (event.update === null) return { ok: true, outcome: "ignored" };
    const applied = await applyUpdate(kv, organisation, event.update, clock());
    return { ok: true, outcome: applied ? "applied" : "repeated" };
  }

  /** Returns the totals of all days, which are kept until a payment changes. */
  async function daysOf(organisation: OrganisationKey): Promise<PaymentDay[]> {
    const { versionstamp } = await kv.get(versionKey(organisation));
    return await derived.get(organisation, versionstamp, async () => ({
      value: await readDays(kv, organisation, clock()),
    }));
  }

  return {
    /** Returns whether a secret is configured, so that the webhook accepts events. */
    isOpen: (organisation: OrganisationKey) => secretsOf(organisation).length > 0,
    receive,
    /** Lists payments. */
    async list(organisation: OrganisationKey, query: PaymentQuery): Promise<PaymentList> {
      return await listPayments(kv, organisation, query, clock(), await daysOf(organisation));
    },
    find(organisation: OrganisationKey, text: string, limit: number) {
      const now = clock();
      return findPayments({
        byId: () => readByIds(kv, organisation, text, limit, now),
        byAmount: async (amount) =>
          findByAmount(kv, organisation, amount, { days: await daysOf(organisation), now }),
        byWords: () => findByWords(kv, organisation, text, now),
      }, { text, limit });
    },
    all: (organisation: OrganisationKey, query: PaymentQuery) =>
      readPayments(kv, organisation, query, clock()),
    /** Computes the totals of days whose payments have changed. */
    computeDays: (signal: AbortSignal) => computeDays(kv, clock, signal),
    read: (organisation: OrganisationKey, id: string) => readPayment(kv, organisation, id, clock()),
    history: (organisation: OrganisationKey, payment: Payment) =>
      readHistory(kv, organisation, payment, clock()),
    ofRecord: (organisation: OrganisationKey, hash: string) =>
      paymentsOfRecord(kv, organisation, hash, clock()),
    recordData: paymentData({ kv, clock }),
    /** Null unless the stand-in for the provider runs. */
    standIn: standIn === undefined ? null : createStandInClient(standIn, fetch),
  };
}
