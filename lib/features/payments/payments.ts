import type { PaymentsConfig } from "./variables.ts";
import type { Platform } from "../../platform/feature.ts";
import { createDerivedValues } from "../../platform/kv/mod.ts";
import { readBytes } from "../../platform/http/body.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { readEvent } from "./event.ts";
import type { PaymentQuery } from "./filters.ts";
import { findPayments } from "./find.ts";
import { readHistory } from "./history.ts";
import { listPayments, type PaymentList, type PaymentTotals, readPayments } from "./list.ts";
import { verifySignature } from "./signature.ts";
import { createStandInClient } from "./stand_in.ts";
import {
  applyUpdate,
  type Payment,
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

interface PaymentsOptions extends Pick<Platform, "kv" | "clock" | "fetch" | "log"> {
  /** Returns the current settings, because secrets can be replaced. */
  config: () => PaymentsConfig;
}

export function createPayments({ kv, clock, config, fetch, log }: PaymentsOptions) {
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
    const event = readEvent(body, signed.eventId);
    if (!event.ok) {
      log({ level: "warn", event: "payment_event_invalid", organisation });
      return event;
    }
    if (event.update === null) return { ok: true, outcome: "ignored" };
    const applied = await applyUpdate(kv, organisation, event.update, clock());
    return { ok: true, outcome: applied ? "applied" : "repeated" };
  }

  return {
    /** Returns whether a secret is configured, so that the webhook accepts events. */
    isOpen: (organisation: OrganisationKey) => secretsOf(organisation).length > 0,
    receive,
    /** Lists payments. The totals of all payments, or of one status, are kept until one changes. */
    async list(organisation: OrganisationKey, query: PaymentQuery): Promise<PaymentList> {
      const { page: _, status = "", ...others } = query;
      const read = (known?: PaymentTotals) => listPayments(kv, organisation, query, clock(), known);
      if (Object.values(others).some((value) => value !== undefined)) return await read();
      const { versionstamp } = await kv.get(versionKey(organisation));
      let list: PaymentList | undefined;
      const totals = await derived.get(`${organisation} ${status}`, versionstamp, async () => {
        list = await read();
        const { count, totals, truncated } = list;
        return { value: { count, totals, truncated } };
      });
      return list ?? await read(totals);
    },
    find: (organisation: OrganisationKey, text: string, limit: number) =>
      findPayments(
        {
          byId: () => readByIds(kv, organisation, text, limit, clock()),
          all: readPayments(kv, organisation, { page: 1 }, clock()),
        },
        text,
        limit,
      ),
    all: (organisation: OrganisationKey, query: PaymentQuery) =>
      readPayments(kv, organisation, query, clock()),
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
