/** The filters of the console's list of payments, as its URL has them. */
import { atRow, choice, type Filter, period } from "../../platform/listing/filters.ts";
import { defineList, type Query, type ReadFilters } from "../../platform/listing/list.ts";
import { decimalsOf } from "./money.ts";
import { STATUS_LABELS, statusOf } from "./status.ts";
import type { Payment } from "./rows.ts";

const AMOUNT = /^\d{1,12}(\.\d{1,3})?$/;

/** A limit of the amount in main units of any currency. */
const amount = (
  label: string,
  holds: (amount: number, limit: number) => boolean,
): Filter<number, Payment> => ({
  kind: "amount",
  label,
  issue: "Enter an amount, such as 12.50.",
  parse: (text) => AMOUNT.test(text) ? Number(text) : undefined,
  test: (limit) => ({ amount, currency }) =>
    holds(amount, Math.round(limit * 10 ** decimalsOf(currency))),
});

/** The list of payments in the console, with its filters. */
export const paymentList = defineList("/console/payments", {
  status: choice(STATUS_LABELS, {
    label: "Status",
    any: "All",
    issue: "Choose a status from the list.",
    test: (status) => (payment: Payment) => statusOf(payment) === status,
  }),
  ...period(),
  min: amount("Lowest amount", (amount, min) => amount >= min),
  max: {
    ...amount("Highest amount", (amount, max) => amount <= max),
    atLeast: { name: "min", issue: "The highest amount is less than the lowest." },
  },
  currency: {
    kind: "choice",
    label: "Currency",
    any: "All",
    issue: "Enter a code of three capital letters, such as USD.",
    parse: (text: string) => /^[A-Z]{3}$/.test(text) ? text : undefined,
    test: (code: string) => ({ currency }: Payment) => currency === code,
  },
  after: atRow("There is no such page."),
  before: atRow("There is no such page."),
});

/** Returns the path of a payment's page in the console. */
export const paymentPath = (id: string): string => `${paymentList.path}/${encodeURIComponent(id)}`;

export type PaymentQuery = Query<typeof paymentList.filters>;
export type PaymentFilters = ReadFilters<typeof paymentList.filters>;
