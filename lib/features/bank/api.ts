/** The request and response formats of the console's bank endpoints, and the messages of bank errors. */
import { z } from "zod";
import type { Failure } from "../../base/result.ts";
import { transactionList, type TransactionQuery } from "./filters.ts";
import {
  type Account,
  AUTH_FAILED,
  type BankError,
  type BankErrorCode,
  type Transaction,
} from "./provider.ts";

/** In responses, amounts are in dollars, with at most two decimals. */

/**
 * The part of a total that belongs to the other organisation (spec 2.4.4). Absent if the
 * account is not among the active ones.
 */
export interface HeldInTrust {
  /** The name of the organisation that it belongs to. */
  for: string;
  amount: number;
  /** The rest of the total. */
  own_funds: number;
}

/** The total and the number of the active accounts. */
export interface Totals {
  /** Null if the balance of an active account is missing. */
  total_balance: number | null;
  active_accounts: number;
  held_in_trust?: HeldInTrust;
}

interface SummaryBase {
  /**
   * Proof-of-connection note on the foundation's surface until it is split, that is, bound to its own account; otherwise
   * empty.
   */
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
  held_in_trust?: HeldInTrust;
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
  /** How to connect a bank. If the cause is another one than the token, it comes first. */
  message: string;
  /** The reason, which is absent if no token is configured. */
  reason?: BankErrorCode;
  stale?: Totals & { cached_at: string };
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
  held_in_trust?: HeldInTrust;
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

/** The meaning of each error of the bank, for operators. */
export const MESSAGES: Record<BankErrorCode, string> = {
  auth_failed: AUTH_FAILED.message,
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

/** The default limit for programs, which is larger than that of the page. */
const DEFAULT_LIMIT = "50";

/**
 * Query parameters of `GET /api/bank/transactions`. Without a start, the whole history is returned, and
 * without a limit 50 transactions of it. Unknown parameters are rejected: ignoring a misspelt filter would
 * return more than the client asked for.
 */
export const transactionQuery = z.record(z.string(), z.string().optional()).transform(
  ({ account_id = "", ...filters }, ctx): TransactionQuery => {
    const issue = (name: string, message: string) =>
      ctx.issues.push({ code: "custom", input: filters, path: [name], message });
    const names = Object.keys(transactionList.filters);
    const unknown = Object.keys(filters).filter((name) => !names.includes(name));
    for (const name of unknown) issue(name, `The filters are account_id, ${names.join(", ")}.`);
    if (unknown.length > 0) return z.NEVER;
    if (account_id === "") issue("account_id", "Give the id of the account.");
    else if (account_id.length > 100) issue("account_id", "Too long.");
    const { query, issues } = transactionList.parse({ limit: DEFAULT_LIMIT, ...filters });
    for (const [name, message] of Object.entries(issues)) issue(name, message);
    return query === null ? z.NEVER : { account_id, ...query };
  },
);
