/** The filters of a list of transactions, for the page, the download and the API. */
import { choice, type Filter, offset, withDefault } from "../../platform/listing/filters.ts";
import { defineList, type Query } from "../../platform/listing/list.ts";
import { DAY_MS, isDay } from "../../base/time.ts";
import { toCents } from "./money.ts";
import type { SentTransaction } from "./provider.ts";

type TransactionFilter<Value> = Filter<Value, Omit<SentTransaction, "read">>;
type Rest<Value> = Partial<TransactionFilter<Value>>;

const TIME = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A day, or a time in ISO 8601. */
const date = (
  label: string,
  rest: Partial<Filter<string, unknown>> = {},
): Filter<string, unknown> => ({
  kind: "day",
  label,
  issue: "Give a date such as 2026-01-31, or an ISO 8601 time.",
  parse: (text) =>
    isDay(text.slice(0, 10)) && (text.length === 10 || TIME.test(text.slice(10)))
      ? text
      : undefined,
  ...rest,
});

const lastMoment = (end: string) => Date.parse(end) + (isDay(end) ? DAY_MS - 1 : 0);

const text = (
  kind: "search" | "choice",
  label: string,
  { maxLength, ...rest }: Rest<string> & { maxLength: number },
): TransactionFilter<string> => ({
  kind,
  label,
  maxLength,
  issue: (given) =>
    given === ""
      ? "Enter a text, or leave the filter out."
      : `Too long: at most ${maxLength} characters.`,
  parse: (given) => given.length <= maxLength && given || undefined,
  ...rest,
});

const AMOUNT = /^\$?(\d{1,14}|\d{1,3}(,\d{3}){1,4})(\.\d{1,2})?$/;

/** An amount in dollars without a sign, for both directions. People may paste `$1,234.50`. */
const amount = (label: string, rest: Rest<number>): TransactionFilter<number> => ({
  kind: "amount",
  label,
  maxLength: 40,
  issue: "Give an amount without a sign, such as 12.50.",
  parse: (given) => AMOUNT.test(given) ? Number(given.replaceAll(/[$,]/g, "")) : undefined,
  ...rest,
});

const centsOf = ({ amount }: Pick<SentTransaction, "amount">) => toCents(Math.abs(amount));

const wholeNumber = (min: number, max: number) => ({
  issue: `Give a whole number from ${min} to ${max}.`,
  parse: (text: string) =>
    /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? Number(text)
      : undefined,
});

const MOST_SKIPPED = 10_000_000;

/** The transactions of an account. The bank itself applies the dates. */
export const transactionList = defineList("/console/finance", {
  /** Words that occur in the counterparty's name or the note, in any order and in any case. */
  search: text("search", "Search", {
    maxLength: 100,
    placeholder: "Counterparty or note",
    logged: "with a search",
    test: (search) => {
      const words = comparable(search).split(/\s+/);
      return ({ counterparty, note }) => {
        const text = comparable(`${counterparty} ${note ?? ""}`);
        return words.every((word) => text.includes(word));
      };
    },
  }),
  start: date("From"),
  end: date("To", {
    atLeast: {
      name: "start",
      issue: "The end is before the start.",
      holds: (end, start) => Date.parse(start) <= lastMoment(end),
    },
  }),
  // The bank's names for kinds and statuses may grow, so any text is accepted.
  kind: text("choice", "Kind", {
    maxLength: 60,
    any: "All",
    test: (name) => ({ kind }) => kind === name,
  }),
  status: text("choice", "Status", {
    maxLength: 60,
    any: "All",
    test: (name) => ({ status }) => status === name,
  }),
  direction: choice({ in: "In", out: "Out" }, {
    label: "Direction",
    any: "In and out",
    issue: "The directions are in and out.",
    test: (direction) => ({ amount }: Pick<SentTransaction, "amount">) =>
      (amount < 0) === (direction === "out"),
  }),
  min: amount("Lowest amount", { test: (min) => (one) => centsOf(one) >= toCents(min) }),
  max: amount("Highest amount", {
    atLeast: { name: "min", issue: "The highest amount is less than the lowest." },
    test: (max) => (one) => centsOf(one) <= toCents(max),
  }),
  limit: withDefault(
    { kind: "choice", label: "Page size", arranges: true, ...wholeNumber(1, 500) },
    25,
  ),
  offset: offset(MOST_SKIPPED, `Give a whole number from 0 to ${MOST_SKIPPED}.`),
});

/** A query of an account's transactions. Both ends are inclusive; an end without a time includes the day. */
export type TransactionQuery = { account_id: string } & Query<typeof transactionList.filters>;

/** Ignores case, accents and widths: `Café` contains `CAFE`. */
const comparable = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
