/**
 * The event chain of a verifiable record: its bytes, hashes, heads and verification, and reading
 * chains from servers and files that are not trusted. For browser and server. The format is defined
 * by the standard (`lib/standard`); `store/mod.ts` stores chains.
 *
 * Requires WebCrypto with Ed25519, which browsers provide only on secure pages: HTTPS or localhost.
 *
 * @module
 */
export {
  type ChainEvent,
  chainEventSchema,
  EVENT_KINDS,
  type EventKind,
  eventKindSchema,
  findHash,
  hashSchema,
  instantSchema,
  type LinkedEvent,
  linkedEventSchema,
} from "./event.ts";
export {
  DOMAINS,
  eventHash,
  linkEvent,
  newSalt,
  recordHash,
  recordSchema,
  SALT_BYTES,
  type VerifiableRecord,
} from "./hash.ts";
export {
  generatePrivateJwk,
  importSigningKey,
  type KeySet,
  keySet,
  type PrivateJwk,
  privateJwkSchema,
  type PublicJwk,
  publicJwkSchema,
  type SigningKey,
  SigningKeyError,
  thumbprint,
  verifierSupport,
} from "./keys.ts";
export {
  type Head,
  headOrigin,
  headSchema,
  type HeadStatement,
  type HeadVerification,
  signHead,
  verifyHead,
} from "./head.ts";
export {
  type ChainEvidence,
  type ChainFault,
  type ChainStart,
  type ChainVerification,
  type EventFault,
  type EventsVerification,
  verifyChain,
  verifyEvents,
} from "./verify.ts";
export {
  fetchChain,
  type FetchedChain,
  fetchKeys,
  type FetchOptions,
  KEYS_PATH,
  keysOf,
  keysUrl,
  MAX_EVENTS,
} from "./reader/fetch.ts";
export {
  ChainReadError,
  type ReadFault,
  readJson,
  type ReadOptions,
  readText,
} from "./reader/read_json.ts";
export {
  formatSavedChain,
  MAX_FILE_BYTES,
  type ParsedChain,
  parseSavedChain,
  type SavedChain,
} from "./reader/saved.ts";
