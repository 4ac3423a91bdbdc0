/**
 * Read-only relays: readers that cannot send headers reach a protected origin at a secret path. A
 * relay also runs alone (`main.ts`), so this folder imports little else.
 *
 * @module
 */
export {
  type RelayConfig,
  relayConfigSchema,
  type RelaySettings,
  relaysSchema,
  relayTimeoutSchema,
} from "./config.ts";
export { createRelay, type Relay, type RelayDeps } from "./relay.ts";
