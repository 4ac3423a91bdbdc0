/** Access to the store: tables, transactions, expiry, limits, and how the store is opened. */
export * from "./counters.ts";
export { type Deadlines, type Overdue, StoreUnavailableError } from "./deadlines.ts";
export * from "./derived_values.ts";
export * from "./disk.ts";
export { commitTable, TooManyChecksError } from "./exactly_once.ts";
export * from "./expiry.ts";
export * from "./format.ts";
export * from "./ids.ts";
export * from "./key_watch.ts";
export * from "./open.ts";
export * from "./queue.ts";
export * from "./read_only.ts";
export * from "./single_use_token.ts";
export * from "./sliding_window.ts";
export * from "./table.ts";
export * from "./table_description.ts";
export * from "./store_kv.ts";
export { KvBusyError, transact } from "./transact.ts";
