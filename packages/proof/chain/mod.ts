/**
 * The event chain of a verifiable record: its bytes, hashes, heads and verification, and readers for
 * chains from untrusted servers and files. The standard (`lib/features/standard`) defines the format;
 * `lib/features/chain` stores chains.
 *
 * @module
 */
export {
  canonicalHash,
  type ChainEvent,
  chainEventSchema,
  findHash,
  hashSchema,
  isHash,
  type LinkedEvent,
  linkedEventSchema,
} from "./event.ts";
export {
  EVENT_KINDS,
  EVENT_NAMES,
  type EventKind,
  LOGGED_EVENTS,
  PUSHES,
  type PushKind,
  STANDARD_VERSION,
} from "./kinds.ts";
export {
  canonicalBytes,
  DOMAINS,
  linkEvent,
  newSalt,
  recordHash,
  type VerifiableRecord,
  withDomain,
} from "./hash.ts";
export { isAllowedPoint } from "./ed25519.ts";
export { type Head, headOrigin, headSchema, signHead, verifyHead } from "./head.ts";
export {
  generatePrivateJwk,
  importSigningKey,
  type KeySet,
  keySet,
  keySetSchema,
  type PrivateJwk,
  privateJwkSchema,
  type PublicJwk,
  publicJwkSchema,
  type SigningKey,
  SigningKeyError,
  thumbprint,
  verifierSupport,
} from "./keys.ts";
export { fetchChain, fetchKeys, KEYS_PATH, keysOf, keysUrl } from "./reader/fetch.ts";
export { ChainReadError, readJson, type ReadOptions, readText } from "./reader/read_json.ts";
export { parseStrictJson } from "./reader/strict_json.ts";
export {
  changeSavedChain,
  formatSavedChain,
  MAX_FILE_BYTES,
  parseSavedChain,
  type SavedChain,
} from "./reader/saved.ts";
export {
  type ChainFault,
  type ChainStart,
  type ChainVerification,
  verifyChain,
  verifyEvents,
} from "./verify.ts";
