/**
 * Verifies what a publisher of verifiable records states, without trusting it: chains and their signed heads,
 * documents, and the public log. For browsers, Node and Deno; it stores nothing and reads no configuration.
 * `public.ts` is the part that is published for others.
 *
 * @module
 */
export {
  type ChainVerification,
  fetchChain,
  fetchKeys,
  formatSavedChain,
  type Head,
  headSchema,
  keysUrl,
  type LinkedEvent,
  parseSavedChain,
  recordHash,
  type SavedChain,
  verifierSupport,
  verifyChain,
  verifyEvents,
} from "../chain/mod.ts";
export {
  documentEntry,
  type DocumentStatement,
  EMPTY_POLICY,
  eventEntry,
  eventSlot,
  isConsistent,
  isIncluded,
  keySetEntry,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  type Policy,
  PolicyError,
  verifyCheckpoint,
  verifyProof,
} from "../log/mod.ts";
export { documentInLog, type ReportedDocument } from "./document_log.ts";
export { chainStatements, documentStatement } from "./statements.ts";
export {
  checkLog,
  type Countersignature,
  LOG_DELAY_MS,
  type LogFault,
  type LogFinding,
  type LogQuestion,
  type ReaderTrust,
  type Statement,
  suggestedKeys,
} from "./check_log.ts";
export { type Contradiction, findContradiction, isProof } from "./compare.ts";
export { type RecordAddresses, watchNewRecord } from "./new_record.ts";
export { type LogReader, logUrl, readLogAt } from "./log_reader.ts";
export { createMemory, type LogMemory, type RememberedLog, storageMemory } from "./memory.ts";
export { checkPublisherLog, isContradicted, isOtherKey, type LogAccess } from "./publisher_log.ts";
export { type LogSentence, logSentence, type LogTone } from "./sentence.ts";
export { type DocumentQuestion, type DocumentResult, verifyDocument } from "./verify_document.ts";
export { type RecordQuestion, type RecordResult, verifyRecord } from "./verify_record.ts";
