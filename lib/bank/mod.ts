/**
 * The treasury: the banking provider's client, its cache, and what the consoles show of it
 * (spec 1.1, 2.1 to 2.4). Account numbers end in `mapping.ts`.
 */
export {
  type BankClient,
  type BankClientOptions,
  createBankClient,
  type TransactionOptions,
} from "./client.ts";
export { type BankError, type BankErrorCode, isBankError } from "./errors.ts";
export { CACHE_LIFETIMES } from "./cache.ts";
export { sumAmounts } from "./money.ts";
export type { Account, Organization, Transaction, TransactionPage } from "./records.ts";
export { type TransactionQuery, transactionQuery } from "./transaction_query.ts";
export { createTreasury, type Treasury, type TreasuryOptions } from "./treasury.ts";
export type * from "./views.ts";
