/** The payments as one service: applying events of the providers, lists, searches and daily totals. */
import type { PaymentsConfig } from "./variables.ts";
import type { Platform } from "../../platform/feature.ts";
import { createDerivedValues } from "../../platform/kv/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { readEvent } from "./event.ts";
import type { PaymentQuery } from "./filters.ts";
import { computeDays, type PaymentDay, readDays } from "./days.ts";
import { findByAmount, findPayments } from "./find.ts";
import { findByWords } from "./words.ts";
import { readHistory } from "./history.ts";
import { listPayments, type PaymentList, readPayments } from "./list.ts";
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

/** The payments that each organisation's provider reports. Each function reads one organisation. */
export type Payments = ReturnType<typeof createPayments>;

/** The outcome of an event. */
export type Received =
  | { ok: true; outcome: "applied" | "repeated" | "ignored" }
  | Failure<"invalid_event">;

interface PaymentsOptions extends Pick<Platform, "kv" | "clock" | "fetch" | "log"> {
  /** Returns the current settings, because secrets can be replaced. */
  config: () => PaymentsConfig;
}

/** Creates what applies the events of payment providers, and lists and sums payments. */
export function createPayments({ kv, clock, config, fetch, log }: PaymentsOptions) {
  const { standIn } = config();
  const derived = createDerivedValues({ clock });

  /**
   * Applies an event of the provider, whose signature has been verified.
   *
   * @param eventId the id that was signed; null if it is in the body
   */
  async function receive(
    organisation: OrganisationKey,
    { body, eventId }: { body: Uint8Array; eventId: string | null },
  ): Promise<Received> {
    const event = readEvent(body, eventId);
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
    isOpen: (organisation: OrganisationKey) => config().secrets[organisation].length > 0,
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
