/**
 * The formats of verifiable records and of the public log, and everything that checks them without trusting who
 * published them. For browsers, Node and Deno: it stores nothing and reads no configuration. `README.md` says
 * what the package guarantees.
 *
 * Requires WebCrypto with Ed25519, which browsers provide only on secure pages: HTTPS or localhost.
 *
 * @module
 */
export * from "./chain/mod.ts";
export * from "./log/mod.ts";
export * from "./verify/mod.ts";
