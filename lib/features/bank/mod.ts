/**
 * The treasury: a client of the banking provider, its cache, and the bodies that the console's
 * endpoints return (spec 1.1, 2.1 to 2.4). Full account numbers never leave `records.ts`.
 *
 * @module
 */
export type * from "./api.ts";
export { transactionQuery } from "./api.ts";
export { CACHE_LIFETIMES, withPatience } from "./cache.ts";
export { EARLIEST } from "./connection.ts";
export { createOutageJob } from "./outage.ts";
export { type BankErrorCode, checkBank } from "./provider.ts";
export { type AccountTotals, type DayTotal, HISTORY_DAYS } from "./daily_totals.ts";
export { movedMoney, sumAmounts, toAmount, toCents, type Transaction } from "./records.ts";
export {
  hasFilters,
  type PageResult,
  type ReadPage,
  readPages,
  transactionMatcher,
} from "./transactions.ts";
export {
  type AccountHistory,
  createTreasury,
  type Treasury,
  type TreasuryHistory,
} from "./treasury.ts";
