/** What every noun that lives in Deno KV shares. Keys are made by the nouns themselves. */
export * from "./expiry.ts";
export * from "./open.ts";
export * from "./queue.ts";
export * from "./single_use_token.ts";
export * from "./sliding_window.ts";
export { type Attempt, KvBusyError, transact, whenUnlocked } from "./transact.ts";
