/**
 * The treasury: a client of the banking provider, its cache, and the bodies that the console's
 * endpoints return (spec 1.1, 2.1 to 2.4). Full account numbers never leave `records.ts`.
 *
 * @module
 */
export type * from "./api.ts";
export { transactionQuery } from "./api.ts";
export { EARLIEST } from "./connection.ts";
export type { BankErrorCode } from "./provider.ts";
export { sumAmounts, type Transaction } from "./records.ts";
export { createTreasury, type Treasury } from "./treasury.ts";
