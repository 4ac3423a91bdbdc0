/** What every noun that lives in Deno KV shares. Keys are made by the nouns themselves. */
export * from "./expiry.ts";
export * from "./lane.ts";
export * from "./open.ts";
export * from "./sliding_window.ts";
export { type Attempt, KvBusyError, transact, whenUnlocked } from "./transact.ts";
