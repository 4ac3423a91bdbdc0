/**
 * Read-only relays, for readers that cannot send headers: they can read a protected origin at a
 * secret path. A relay can also run standalone (`main.ts`), so this folder imports little else.
 *
 * @module
 */
export { type RelayConfig, relayConfigSchema } from "./config.ts";
export { checkOrigin, type OriginProblem } from "./origin_check.ts";
export {
  createRelay,
  createRelayClients,
  type OpenResponses,
  type Relay,
  revoke,
} from "./relay.ts";
