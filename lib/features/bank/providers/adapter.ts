import { withDeadline } from "../../../base/deadline.ts";
import type { Schedule } from "../../../base/schedule.ts";
import { type Account, OPERATION_TIMEOUT_MS } from "../provider.ts";
import { hasNumber, maskNumbers } from "../masks.ts";
import type { RequestOptions } from "./request.ts";

/** The options of every bank's adapter. */
export interface AdapterOptions extends RequestOptions {
  /** Timeout for a whole operation, including its retry and further pages. */
  timeoutMs?: number;
  /** Starts the timers of the timeouts. */
  schedule?: Schedule;
  /** Logs one line for each account with a missing or unexpected field, without account numbers. */
  log?: (entry: Record<string, unknown>) => void;
}

/** An account as an adapter has read it. */
export interface ReadAccount {
  account: Account;
  isClosed: boolean;
  /** Names of the fields that are missing or have an unexpected value. */
  unreadable: string[];
}

/** Returns the account, and logs which of its fields could not be read. */
export function acceptAccount(
  { account, unreadable }: ReadAccount,
  { log }: AdapterOptions,
): Account {
  if (unreadable.length > 0) {
    log?.({
      level: "warn",
      event: "bank_account_unreadable",
      account: hasNumber(account.id) ? maskNumbers(account.id) : account.id,
      fields: unreadable,
    });
  }
  return account;
}

/**
 * Runs an operation with a signal that aborts after its timeout.
 *
 * @param other ends it earlier
 */
export const inTimeout = <Result>(
  { timeoutMs = OPERATION_TIMEOUT_MS, schedule }: AdapterOptions,
  operation: (signal: AbortSignal) => Promise<Result>,
  other?: AbortSignal,
): Promise<Result> => withDeadline(timeoutMs, other, operation, schedule);
