/**
 * The event chain of a verifiable record: its bytes, hashes, heads and
 * verification, for browser and server alike. The format is the standard's
 * (`lib/standard`); nothing here stores or sends anything.
 *
 * It needs WebCrypto with Ed25519, which a browser has on secure pages only: HTTPS or localhost.
 *
 * @module
 */
export { EVENT_KINDS, type EventKind, eventKindSchema } from "./kinds.ts";
export {
  type ChainEvent,
  chainEventSchema,
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
  type ChainStart,
  type EventFault,
  type EventsVerification,
  verifyEvents,
} from "./verify.ts";
export {
  type ChainEvidence,
  type ChainFault,
  type ChainVerification,
  verifyChain,
} from "./verify_chain.ts";
