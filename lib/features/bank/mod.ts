/**
 * The treasury: the banks' adapters, a cache, and the bodies that the console's endpoints return
 * (spec 1.1, 2.1 to 2.4). Full account numbers never leave an adapter.
 *
 * @module
 */
export type * from "./api.ts";
export { transactionQuery } from "./api.ts";
export { accountPath } from "./console/account_path.ts";
export { dollars, nameOf } from "./console/labels.ts";
export { monthsOf } from "./console/month_flow.ts";
export { balancesOf } from "./balances.ts";
export { CACHE_LIFETIMES, withPatience } from "./cache.ts";
export { type AccountTotals, type DayTotal } from "./daily_totals.ts";
export type { DailySums } from "./daily_sums.ts";
export { transactionList, type TransactionQuery } from "./filters.ts";
export { type AccountLimit } from "./low_balance.ts";
export { sumAmounts, toAmount, toCents } from "./money.ts";
export type { PageResult } from "./pages.ts";
export type { Account, BankErrorCode, Transaction } from "./provider.ts";
export { movedMoney } from "./provider.ts";
export { createBankProvider } from "./providers/mod.ts";
export type { AccountHistory, Latest, Treasury, TreasuryHistory } from "./treasury.ts";
export type { AccountTransaction } from "./transactions.ts";
