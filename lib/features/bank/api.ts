import { z } from "zod";
import { integer } from "../../platform/http/schemas.ts";
import type { Failure } from "../../base/result.ts";
import { DAY_MS } from "../../base/time.ts";
import type { Account, BankError, BankErrorCode, Transaction } from "./provider.ts";

/**
 * Response bodies of the console's bank endpoints. Amounts are in dollars, with at most two
 * decimals.
 */

interface SummaryBase {
  /** Proof-of-connection note on the foundation's surface until it is split; otherwise empty. */
  entity_note: string;
  currency: "USD";
  cached_at: string;
  /** Time of the latest transaction on any active account; commercial surface only. */
  last_activity?: string | null;
}

/** `GET /api/bank/summary` (spec 2.3). */
export interface LiveSummary extends SummaryBase {
  /** Name of the connected entity; `Pending` until the bank sends it. */
  entity: string;
  /** Null while `pending`, or if the balance of an active account is missing. */
  total_balance: number | null;
  /** Null while `pending`. */
  active_accounts: number | null;
  connection_status: "live";
  /** Set while the only account of a split surface cannot be read yet (spec 4.2.4). */
  pending?: true;
}

/** The fallback body of spec 2.3; `cached_at` is the current time. */
export interface FallbackSummary extends SummaryBase {
  entity: "Pending";
  total_balance: null;
  active_accounts: null;
  connection_status: "not_connected";
  message: string;
  /** Absent without a token. */
  reason?: BankErrorCode;
  stale?: { total_balance: number | null; active_accounts: number; cached_at: string };
}

export type Summary = LiveSummary | FallbackSummary;

/** The only account of a split surface while the bank does not list it (spec 4.2.4). */
export interface PendingAccount {
  nickname: string;
  last4: string;
}

/**
 * `GET /api/bank/accounts` (spec 2.4). While not connected, the fallback body with an empty list.
 */
export type AccountsResponse = {
  accounts: Account[];
  /** Null while `pending_account` is set, or if the balance of an active account is missing. */
  total_balance: number | null;
  cached_at: string;
  connection_status: "live";
  pending_account?: PendingAccount;
} | FallbackSummary & { accounts: [] };

/** `GET /api/bank/transactions`, newest first. */
export interface TransactionsResponse {
  account_id: string;
  limit: number;
  offset: number;
  /** Number of transactions that match the filters, on all pages. */
  total: number;
  transactions: Omit<Transaction, "state" | "own_transfer">[];
}

/** Why bank data could not be read. */
export interface TreasuryFailure extends Failure<BankErrorCode | "not_connected" | "too_many"> {
  message: string;
  /** The bank's HTTP status, with `upstream_error`. */
  details?: { status: number };
  /** The fallback body of spec 2.3, set if the connection as a whole is down. */
  fallback?: FallbackSummary;
}

const MESSAGES: Record<BankErrorCode, string> = {
  auth_failed: "Bank API token invalid or expired",
  not_found: "The bank does not have this account, or does not share it.",
  rate_limited: "The bank is limiting requests. Try again in a minute.",
  network_error: "The bank could not be reached.",
  invalid_response: "The bank sent a response that could not be read.",
  upstream_error: "The bank returned an error.",
  slow: "The bank is slow to respond.",
};

/** Returns an error of the bank as a failure with a message for operators. */
export const failureOf = (failure: BankError): TreasuryFailure => ({
  ok: false,
  error: failure.error,
  message: MESSAGES[failure.error],
  ...failure.error === "upstream_error" ? { details: { status: failure.status } } : {},
});

const date = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "Give a date such as 2026-01-31, or an ISO 8601 time.",
});
const wholeNumber = (min: number, max: number) =>
  integer(min, max, `Give a whole number from ${min} to ${max}.`);

const text = (max: number) =>
  z.string().trim().min(1, "Enter a text, or leave the filter out.").max(
    max,
    `Too long: at most ${max} characters.`,
  );
const AMOUNT = /^\$?(\d{1,14}|\d{1,3}(,\d{3}){1,4})(\.\d{1,2})?$/;
/** Dollars without a sign, also as people paste them: `$1,234.50`. */
const amount = z.string().trim().regex(AMOUNT, "Give an amount without a sign, such as 12.50.")
  .transform((value) => Number(value.replaceAll(/[$,]/g, "")));

const filters = z.object({
  account_id: z.string("Name the account.").min(1, "Name the account.").max(100, "Too long."),
  start: date.optional(),
  end: date.optional(),
  /** Words that occur in the counterparty's name or the note, in any order and in any case. */
  search: text(100).optional(),
  /** The bank's names. Its lists grow, so any text is accepted. */
  kind: text(60).optional(),
  status: text(60).optional(),
  direction: z.enum(["in", "out"], "The directions are in and out.").optional(),
  /** Limits of the amount, whatever its direction. */
  min: amount.optional(),
  max: amount.optional(),
  limit: wholeNumber(1, 500).default(50),
  offset: wholeNumber(0, 10_000_000).default(0),
}).refine(({ start, end }) => !start || !end || Date.parse(start) <= lastMoment(end), {
  path: ["end"],
  error: "The end is before the start.",
}).refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
  path: ["max"],
  error: "The maximum is less than the minimum.",
});

/**
 * Query parameters of `GET /api/bank/transactions`. Both ends are inclusive; an end without a time
 * includes the whole day; without a start, the whole history is returned. Unknown parameters are
 * rejected: ignoring a misspelt filter would return more than the client asked for.
 */
export const transactionQuery = z.record(z.string(), z.string().optional()).check((ctx) => {
  for (const name of Object.keys(ctx.value)) {
    if (Object.hasOwn(filters.shape, name)) continue;
    ctx.issues.push({
      code: "custom",
      input: ctx.value,
      path: [name],
      message: `The filters are ${Object.keys(filters.shape).join(", ")}.`,
    });
  }
}).pipe(filters);

export type TransactionQuery = z.output<typeof transactionQuery>;

const lastMoment = (end: string) =>
  Date.parse(end) + (z.iso.date().safeParse(end).success ? DAY_MS - 1 : 0);
