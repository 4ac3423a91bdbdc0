import type { BankErrorCode } from "./errors.ts";
import type { Transaction } from "./records.ts";

/** What the consoles' endpoints answer. Amounts are dollars with two decimals at most. */

/** An account as it is shown (spec 2.4). */
export interface AccountView {
  id: string;
  nickname: string;
  kind: string;
  balance: number;
  last4: string;
  /** Everything that is neither active nor archived is restricted. */
  status: "active" | "restricted";
}

interface SummaryBase {
  /** That the connection is a proof of connection, on the foundation's surface before its split. */
  entity_note: string;
  currency: "USD";
  cached_at: string;
  /** When money last moved on any active account; on the commercial surface alone. */
  last_activity?: string | null;
}

/** `GET /api/bank/summary` (spec 2.3). */
export interface LiveSummary extends SummaryBase {
  /** The name of the connected entity; `Pending` while the provider has not told it. */
  entity: string;
  total_balance: number;
  active_accounts: number;
  connection_status: "live";
}

/** The fallback body of spec 2.3; `cached_at` is now. */
export interface FallbackSummary extends SummaryBase {
  entity: "Pending";
  total_balance: null;
  active_accounts: null;
  connection_status: "not_connected";
  /** What the operator has to do. */
  message: string;
  /** Missing where there is no token. */
  reason?: BankErrorCode;
  /** The last good figures, and their age. */
  stale?: { total_balance: number; active_accounts: number; cached_at: string };
}

export type Summary = LiveSummary | FallbackSummary;

/** The one account of a split surface while the provider does not list it (spec 4.2.4). */
export interface PendingAccount {
  nickname: string;
  last4: string;
}

/** `GET /api/bank/accounts` (spec 2.4). */
export type AccountsAnswer = {
  accounts: AccountView[];
  /** Of the active accounts. */
  total_balance: number;
  cached_at: string;
  connection_status: "live";
  pending_account?: PendingAccount;
} | {
  accounts: [];
  total_balance: null;
  cached_at: null;
  connection_status: "not_connected";
  reason?: BankErrorCode;
};

/** `GET /api/bank/transactions`; the newest first. */
export interface TransactionsAnswer {
  account_id: string;
  total: number;
  limit: number;
  offset: number;
  transactions: Transaction[];
}

/** Why there is no answer: an error of the provider, or no token to ask it with. */
export interface TreasuryError {
  error: BankErrorCode | "not_connected";
  message: string;
  /** The provider's status, with `upstream_error`. */
  status?: number;
}
