/**
 * Read-only relays: readers that cannot send headers reach a protected origin by a secret path.
 * This folder imports nothing of the site, so that a relay also runs alone (`main.ts`).
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
export { newSlug } from "./slug.ts";
