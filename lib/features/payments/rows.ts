/** The table of payments and its indexes. */
import { z } from "zod";
import { defineTable, expires, EXPIRING } from "../../platform/kv/mod.ts";
import { DAY_MS, inYears } from "../../base/time.ts";
import { tokensOf } from "../../base/words.ts";
import { payer, payerText, STATES } from "./event.ts";
import { statusOf } from "./status.ts";

/** An event. Of two events, the one created later is newer; the ids decide between equal times. */
const version = z.strictObject({ at: z.iso.datetime(), event: z.string() });

export type Version = z.infer<typeof version>;

/** A payment, as the newest events describe it. */
const payment = z.strictObject({
  id: z.string(),
  /** Minor units of the currency. */
  amount: z.int(),
  currency: z.string(),
  state: z.enum(STATES),
  /** Minor units. */
  refunded: z.int(),
  created_at: z.iso.datetime(),
  description: z.string().nullable(),
  record: z.string().nullable(),
  /** Absent from payments that earlier builds stored. */
  payer: payer.nullable().optional(),
  /** The type of the event that set the state. */
  type: z.string(),
  /** The events that set the state, the refund, the description with the record, and the payer. */
  set_by: z.strictObject({
    state: version,
    refunded: version.nullable(),
    details: version.nullable(),
    payer: version.nullable().optional(),
  }),
  /** True once its record was deleted: its description, record and payer are not stored again. */
  erased: z.literal(true).optional(),
  ...EXPIRING,
});

export type Payment = z.infer<typeof payment>;

/** Payments are accounting records: they are kept for seven years. */
export const PAYMENT_LIFETIME_MS = 7 * 365 * DAY_MS;
export const BY_STATUS = "payments_by_status";
/** The payments of each currency and status. Keys with an empty text in place of the status list those of all. */
export const BY_CURRENCY = "payments_by_currency";
/** The payments of each organisation and currency by amount. */
export const BY_AMOUNT = "payments_by_amount";

/** The payments of each organisation by the words of the description and the payer. */
export const BY_WORD = "payments_by_word";

/**
 * The most tokens of a payment, for about 75 words. A commit that changes them deletes as many keys as it writes,
 * with at most 170 bytes each, and may have 80 KiB of keys.
 */
const MOST_TOKENS = 150;

/** Returns the texts of a payment that a search finds it by, the payer first. */
export const textsOf = ({ description, payer }: Payment): string[] => [
  payer ? payerText(payer) : "",
  description ?? "",
];

/** The payments of each organisation. An event may change the time of a payment, and thereby its key. */
export const paymentRows = defineTable({
  prefix: "payments",
  value: payment,
  key: ["organisation", "created_at", "id"],
  indexes: {
    /** Leads from the id to the time. It is written with every change of the payment. */
    payments_by_id: {
      keysOf: ({ id }: Payment, [organisation]: Deno.KvKey) => [[organisation, id]],
      value: ({ created_at }: Payment) => created_at,
    },
    payments_by_record: ["record"],
    [BY_STATUS]: {
      keysOf: (row: Payment, key: Deno.KvKey) => [[statusOf(row), ...key]],
      value: () => null,
    },
    [BY_CURRENCY]: {
      keysOf: (row: Payment, key: Deno.KvKey) =>
        ["", statusOf(row)].map((status) => [row.currency, status, ...key]),
      value: () => null,
    },
    [BY_AMOUNT]: {
      keysOf: ({ currency, amount }: Payment, key: Deno.KvKey) => [
        [key[0], currency, amount, ...key],
      ],
      value: () => null,
    },
    [BY_WORD]: {
      keysOf: (row: Payment, key: Deno.KvKey) =>
        Array.from(tokensOf(textsOf(row), MOST_TOKENS), (token) => [key[0], token, ...key]),
      value: () => null,
    },
  },
  owner: "organisation",
  lifetime: expires(inYears(PAYMENT_LIFETIME_MS)),
  per: "payment",
  privacy: {
    section: "payments",
    label: "Payments",
    text: "The details that our payment provider reports: the amount and currency, the date, " +
      "the state and refunds, the provider’s id of the payment, its description, the name and " +
      "email address of the payer, and the hash of the record if the payment names one. We do " +
      "not receive your card number. The words of the description and the payer are in an index, with " +
      `which our administrators find the payment. We keep payments for ${
        inYears(PAYMENT_LIFETIME_MS)
      }, for our ` +
      "accounts. If you delete the record, we remove the description, the payer and the hash.",
  },
});
