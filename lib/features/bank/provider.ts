/** The interface that each bank's adapter implements, and the records and errors that it returns. */
import { z } from "zod";

/** Each bank has an adapter in `providers/`, which alone knows the bank's API, its names and its limits. */

/** An organisation's bank with one set of credentials. */
export interface BankProvider extends BankAdapter {
  /**
   * Identifies the bank and the credentials without revealing them. Stored data is kept apart by it,
   * so that another bank or other credentials never show the previous entity's data.
   */
  readonly fingerprint: string;
}

/** The API of a bank. No operation throws. */
export interface BankAdapter {
  /** Returns every account except closed ones (spec 2.4.2). */
  getAccounts(): Promise<Account[] | BankError>;
  /** Returns one account; `not_found` for closed and some restricted accounts. */
  getAccount(id: string): Promise<Account | BankError>;
  /**
   * Returns a part of an account's transactions, newest first.
   *
   * @param signal ends the operation before its timeout, as a timeout would
   */
  getTransactions(
    id: string,
    opts?: TransactionOptions,
    signal?: AbortSignal,
  ): Promise<TransactionPage | BankError>;
  getOrganization(): Promise<Organization | BankError>;
  /**
   * Checks whether the bank accepts the credentials, with one small request and no retry.
   *
   * @returns null if it does
   */
  check(signal: AbortSignal): Promise<BankErrorCode | null>;
}

/** The longest time that an operation of a provider may take, retries included. */
export const OPERATION_TIMEOUT_MS = 8_000;

/** Selects transactions by the time when they were created. */
export interface TransactionOptions {
  /** The most transactions. Default: as many as the bank returns at once. The bank may return fewer. */
  limit?: number;
  /** Number of newer transactions to skip. Default: 0. */
  offset?: number;
  /** `YYYY-MM-DD` or an ISO 8601 time. Default: the whole history. */
  start?: string;
  /** A time or date in the same form as `start`; a date includes the whole day in UTC. Default: now. */
  end?: string;
  /**
   * When the balance was read that the transactions are summed for, ISO 8601 in UTC. It is not sent; only reads for the
   * same one are shared, because a read that began before it may lack what the balance has.
   */
  balanceAt?: string;
}

export const accountSchema = z.object({
  id: z.string(),
  nickname: z.string(),
  /** The bank's name for it, such as `checking`, `savings` or `treasury`. */
  kind: z.string(),
  /** Dollars, at most two decimals. */
  balance: z.number().nullable(),
  /** Last four digits of the account number. */
  last4: z.string(),
  /** `restricted` for an open account that is not active, `unknown` if the bank sent no status. */
  status: z.enum(["active", "restricted", "unknown"]),
});

/**
 * An account as the site stores and shows it (spec 2.2, 2.4). It has no field for the full account
 * number or the routing number. Fields that the bank did not send in a readable form are empty; the
 * balance is null.
 */
export type Account = z.output<typeof accountSchema>;

/** An organisation as the site stores it (spec 2.2). Only the name is shown. */
export const organizationSchema = z.object({
  name: z.string(),
  tax_identifier: z.string().nullable().default(null),
  trade_names: z.array(z.string()).default([]),
});

export type Organization = z.output<typeof organizationSchema>;

/**
 * The state of a transaction's money.
 *
 * - `settled`: it moved.
 * - `pending`: it has not moved yet.
 * - `failed`: it could not be moved.
 * - `undone`: it was stopped, or moved back.
 * - `unknown`: the adapter does not know the bank's status; the money counts as moved.
 */
export type TransactionState = "settled" | "pending" | "failed" | "undone" | "unknown";

/** A transaction of an account. Times are ISO 8601 in UTC. */
export interface Transaction {
  id: string;
  posted_at: string | null;
  created_at: string;
  /** Dollars, at most two decimals; negative for outgoing money. */
  amount: number;
  counterparty: string;
  /** The bank's name for the kind. Operators see it as words and filter by it. */
  kind: string;
  /** The bank's name for the status. Operators see it as words and filter by it. */
  status: string;
  state: TransactionState;
  /** True for a transfer between the organisation's own accounts. */
  own_transfer: boolean;
  note: string | null;
  /** The text on the account's statement. */
  description: string | null;
  /** The note that the other party sees. */
  memo: string | null;
  expected_at: string | null;
  failed_at: string | null;
  failure_reason: string | null;
  /** The transaction's page in the bank's own dashboard. */
  bank_url: string | null;
}

/**
 * A transaction in a bank's response: what is summed, grouped and searched. Reading the rest takes several times as
 * long, so it is read only where it is shown. `counterparty` and `note` may be read at each access, and a spread may
 * lose them.
 */
export interface SentTransaction extends
  Readonly<
    Pick<
      Transaction,
      | "id"
      | "posted_at"
      | "created_at"
      | "amount"
      | "kind"
      | "status"
      | "state"
      | "own_transfer"
      | "counterparty"
      | "note"
    >
  > {
  read(): Transaction;
}

/** Returns whether a transaction counts in sums: it is settled, or its state is not known. */
export const movedMoney = ({ state }: Pick<Transaction, "state">): boolean =>
  state === "settled" || state === "unknown";

export interface TransactionPage<One = SentTransaction> {
  /**
   * Number of transactions that match the options, on all pages; null if the bank does not say. Then
   * readers continue until a page is empty.
   */
  total: number | null;
  transactions: One[];
}

/**
 * An error that is returned instead of data. The shapes are defined in spec 7; `invalid_response`
 * means that the bank's response could not be read, `upstream_error` any other status.
 */
export type BankError =
  | typeof AUTH_FAILED
  | {
    error:
      | "not_found"
      | "rate_limited"
      | "network_error"
      | "invalid_response"
      /** Returned by the cache, when a reader stopped waiting for the provider. */
      | "slow";
  }
  | { error: "upstream_error"; status: number };

/** The bank rejects the credentials (spec 7). */
export const AUTH_FAILED = {
  error: "auth_failed",
  message: "Bank API token invalid or expired",
} as const;

export type BankErrorCode = BankError["error"];

export const isBankError = <Data extends object>(result: Data | BankError): result is BankError =>
  "error" in result;
